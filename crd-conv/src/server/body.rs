//! Reads the body of a request within limits.

use std::pin::pin;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use http_body::Body;
use http_body_util::BodyExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A body in memory, with its share of the memory for bodies.
#[derive(Debug)]
pub(super) struct Buffered {
    pub(super) bytes: Bytes,
    _share: Option<OwnedSemaphorePermit>,
}

/// Why a body wasn't read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    TooLarge,
    /// The memory for bodies is full.
    NoRoom,
    /// The client stopped in the middle of the body.
    BrokenOff,
}

/// Reads a body of at most `limit` bytes. `room` has a permit for each byte that may be in memory.
///
/// The share of the memory is taken for the bytes that have arrived, not for the announced length.
pub(super) async fn read<B>(
    body: B,
    limit: usize,
    room: &Arc<Semaphore>,
) -> Result<Buffered, Unread>
where
    B: Body<Data = Bytes>,
{
    let mut body = pin!(body);
    if body.size_hint().lower() > limit as u64 {
        discard(body, limit).await;
        return Err(Unread::TooLarge);
    }
    let mut share: Option<OwnedSemaphorePermit> = None;
    let (mut first, mut all) = (Bytes::new(), BytesMut::new());
    loop {
        let frame = match body.frame().await {
            Some(Ok(frame)) => frame,
            Some(Err(_)) => return Err(Unread::BrokenOff),
            None => break,
        };
        // Trailers have no meaning here.
        let Ok(data) = frame.into_data() else { continue };
        if first.len() + all.len() + data.len() > limit {
            discard(body, limit).await;
            return Err(Unread::TooLarge);
        }
        let size = u32::try_from(data.len()).unwrap_or(u32::MAX);
        match (Arc::clone(room).try_acquire_many_owned(size), &mut share) {
            (Ok(more), Some(share)) => share.merge(more),
            (Ok(new), None) => share = Some(new),
            (Err(_), _) => {
                discard(body, limit).await;
                return Err(Unread::NoRoom);
            }
        }
        if first.is_empty() && all.is_empty() {
            first = data;
        } else {
            if all.is_empty() {
                all.extend_from_slice(&std::mem::take(&mut first));
            }
            all.extend_from_slice(&data);
        }
    }
    let bytes = if all.is_empty() { first } else { all.freeze() };
    Ok(Buffered { bytes, _share: share })
}

/// Reads the rest of a request, up to a limit, so that the client gets to read the answer. Most
/// clients send the whole request before they read.
pub(super) async fn discard<B: Body<Data = Bytes>>(body: B, limit: usize) {
    let mut body = pin!(body);
    let mut size = 0;
    while let Some(Ok(frame)) = body.frame().await {
        size += frame.data_ref().map_or(0, Bytes::len);
        if size > limit {
            return;
        }
    }
}
