//! An object at the root that one version lets be null, with entries of versions that this release doesn't know.

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
struct Spec {
    size: i32,
    mode: Option<String>,
}

const SMALL: Spec = Spec { size: 1, mode: None };

/// The other versions drop the null.
mod dropped {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(nullable = false)]
    struct Early {
        spec: Option<Spec>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = Early)]
    struct Late {
        #[versioned(nullable)]
        spec: Option<Spec>,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "roots", scope = "Cluster"))]
    enum Root {
        V1alpha1(Early),
        V1alpha2(Early),
        #[versioned(storage)]
        V1(Late),
    }

    crd_conv::laws!(Root);
}

/// The other versions show a default for it.
mod filled {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(nullable = false)]
    struct Early {
        #[versioned(default = SMALL)]
        spec: Option<Spec>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = Early)]
    struct Late {
        #[versioned(nullable)]
        spec: Option<Spec>,
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "roots", scope = "Cluster"))]
    enum Root {
        V1alpha1(Early),
        V1alpha2(Early),
        #[versioned(storage)]
        V1(Late),
    }

    crd_conv::laws!(Root);
}
