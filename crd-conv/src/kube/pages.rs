//! Lists in pages, around objects that a version can't show.

use kube::Error;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::requests::{Requests, is_unreachable};

/// How many objects a page has. One that a version can't show fails the whole page, so smaller ones are tried then, in every version,
/// down to that object alone: the version in which it is stored needs no conversion.
const LIMITS: [u32; 4] = [500, 50, 5, 1];

/// All objects of a resource, page by page.
pub(crate) struct Pages {
    requests: Requests,
    /// The version that is asked for first.
    preferred: String,
    versions: Vec<String>,
    only_metadata: bool,
    token: Option<String>,
    is_done: bool,
}

/// One page.
#[derive(Debug)]
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    /// How many follow, where the API server counts them.
    pub(crate) remaining: Option<u64>,
}

#[derive(Deserialize)]
struct List<T> {
    metadata: Rest,
    /// `null` if only the metadata is asked for and there are no objects.
    items: Option<Vec<T>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rest {
    #[serde(rename = "continue")]
    token: Option<String>,
    remaining_item_count: Option<u64>,
}

impl Pages {
    /// Takes the served versions, and lists at the first one first. Returns `None` if there are none.
    pub(crate) fn new(
        requests: Requests,
        versions: Vec<String>,
        only_metadata: bool,
    ) -> Option<Self> {
        let preferred = versions.first()?.clone();
        let (token, is_done) = (None, false);
        Some(Self { requests, preferred, versions, only_metadata, token, is_done })
    }

    /// The next page; `None` after the last.
    pub(crate) async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<Page<T>>, Error> {
        if self.is_done {
            return Ok(None);
        }
        let text = self.text().await?;
        let List { metadata, items } = serde_json::from_str(&text).map_err(Error::SerdeError)?;
        self.token = metadata.token.filter(|token| !token.is_empty());
        self.is_done = self.token.is_none();
        Ok(Some(Page {
            items: items.unwrap_or_default(),
            remaining: metadata.remaining_item_count,
        }))
    }

    async fn text(&mut self) -> Result<String, Error> {
        let mut outcome = self.list(&self.preferred.clone(), LIMITS[0]).await;
        for limit in LIMITS {
            for version in self.versions.clone() {
                if !outcome.as_ref().is_err_and(is_unshowable) {
                    return outcome;
                }
                if limit != LIMITS[0] || version != self.preferred {
                    outcome = self.list(&version, limit).await;
                }
            }
            if outcome.as_ref().is_err_and(is_unreachable) {
                // Then no object can be shown by another version, however short the page is.
                return outcome;
            }
        }
        outcome
    }

    /// A token that etcd has no state for any more comes back with another one for the same place, in a newer state.
    ///
    /// Source: <https://kubernetes.io/docs/reference/using-api/api-concepts/#410-gone-responses>
    async fn list(&mut self, version: &str, limit: u32) -> Result<String, Error> {
        loop {
            let token = self.token.clone();
            let listed =
                self.requests.list(version, self.only_metadata, limit, token.as_deref()).await;
            match listed {
                Err(Error::Api(status)) if status.code == 410 => {
                    let newer = status.metadata.as_ref().and_then(|list| list.continue_.clone());
                    match newer {
                        Some(newer) if !newer.is_empty() && Some(&newer) != token.as_ref() => {
                            self.token = Some(newer);
                        }
                        _ => return Err(Error::Api(status)),
                    }
                }
                outcome => return outcome,
            }
        }
    }
}

/// What a failed conversion gets. It is 429 where the API server waits for a cache that the object keeps it from filling.
fn is_unshowable(error: &Error) -> bool {
    matches!(error, Error::Api(status) if matches!(status.code, 429 | 500))
}
