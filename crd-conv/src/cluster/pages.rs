//! Lists objects in pages, even if a version can't show some of them.

use kube::Error;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::requests::{Requests, is_unreachable};

/// How many objects a page has. If a version can't show one object, the whole page fails. Then
/// smaller pages are tried in every version, down to a page with only that object: the version in
/// which it is stored needs no conversion.
const LIMITS: [u32; 4] = [500, 50, 5, 1];

/// All objects of a resource, page by page.
pub(crate) struct Pages {
    requests: Requests,
    /// The version that is listed first.
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
    /// The number of objects on later pages, if the API server counts them.
    pub(crate) remaining: Option<u64>,
}

#[derive(Deserialize)]
struct List<T> {
    metadata: Rest,
    /// `null` if only metadata was requested and there are no objects.
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
    /// Takes the served versions, and lists the first one first. Returns `None` if there are none.
    pub(crate) fn new(
        requests: Requests,
        versions: Vec<String>,
        only_metadata: bool,
    ) -> Option<Self> {
        let preferred = versions.first()?.clone();
        let (token, is_done) = (None, false);
        Some(Self { requests, preferred, versions, only_metadata, token, is_done })
    }

    /// Returns the next page, or `None` after the last one.
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
                // No other version can show an object without the webhook, however short the page
                // is.
                return outcome;
            }
        }
        outcome
    }

    /// Requests a page. If etcd no longer has the state for the token, the answer contains another
    /// token for the same position in a newer state.
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

/// Whether a status may come from a failed conversion. The status is 429 if the API server waits
/// for a cache that the object prevents it from filling.
fn is_unshowable(error: &Error) -> bool {
    matches!(error, Error::Api(status) if matches!(status.code, 429 | 500))
}
