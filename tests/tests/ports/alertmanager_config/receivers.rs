//! What both versions call the same, written once: a macro makes the structs of a version, which come from those of the older one, if there
//! is one. Of a module's own are `Secret` and `UpdateAlerts`, which the versions don't have alike.

/// `receivers!()` in the oldest version, `receivers!(v1alpha1)` in the one after it.
macro_rules! receivers {
    ($($older:ident)?) => {
        receivers! { @
            $(#[versioned(from = super::$older::Receiver)])?
            pub(crate) struct Receiver {
                name: String,
                opsgenie_configs: Option<Vec<OpsGenieConfig>>,
                pagerduty_configs: Option<Vec<PagerDutyConfig>>,
                discord_configs: Option<Vec<DiscordConfig>>,
                slack_configs: Option<Vec<SlackConfig>>,
                webhook_configs: Option<Vec<WebhookConfig>>,
                wechat_configs: Option<Vec<WeChatConfig>>,
                email_configs: Option<Vec<EmailConfig>>,
                victorops_configs: Option<Vec<VictorOpsConfig>>,
                pushover_configs: Option<Vec<PushoverConfig>>,
                sns_configs: Option<Vec<SnsConfig>>,
                telegram_configs: Option<Vec<TelegramConfig>>,
                webex_configs: Option<Vec<WebexConfig>>,
                msteams_configs: Option<Vec<MsTeamsConfig>>,
                msteamsv2_configs: Option<Vec<MsTeamsV2Config>>,
                rocketchat_configs: Option<Vec<RocketChatConfig>>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::HttpConfig)])?
            pub(crate) struct HttpConfig {
                authorization: Option<Authorization>,
                basic_auth: Option<BasicAuth>,
                oauth2: Option<OAuth2>,
                bearer_token_secret: Option<Secret>,
                tls_config: Option<TlsConfig>,
                #[serde(rename = "proxyURL")]
                proxy_url: Option<String>,
                no_proxy: Option<String>,
                proxy_from_environment: Option<bool>,
                follow_redirects: Option<bool>,
                enable_http2: Option<bool>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::PagerDutyConfig)])?
            pub(crate) struct PagerDutyConfig {
                send_resolved: Option<bool>,
                routing_key: Option<Secret>,
                service_key: Option<Secret>,
                url: Option<String>,
                client: Option<String>,
                #[serde(rename = "clientURL")]
                client_url: Option<String>,
                description: Option<String>,
                severity: Option<String>,
                class: Option<String>,
                group: Option<String>,
                component: Option<String>,
                details: Option<Vec<KeyValue>>,
                pager_duty_image_configs: Option<Vec<PagerDutyImage>>,
                pager_duty_link_configs: Option<Vec<PagerDutyLink>>,
                http_config: Option<HttpConfig>,
                source: Option<String>,
                timeout: Option<String>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::DiscordConfig)])?
            pub(crate) struct DiscordConfig {
                send_resolved: Option<bool>,
                #[serde(rename = "apiURL")]
                api_url: CoreSecret,
                title: Option<String>,
                message: Option<String>,
                content: Option<String>,
                username: Option<String>,
                #[serde(rename = "avatarURL")]
                avatar_url: Option<String>,
                http_config: Option<HttpConfig>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::SlackConfig)])?
            pub(crate) struct SlackConfig {
                send_resolved: Option<bool>,
                #[serde(rename = "apiURL")]
                api_url: Option<Secret>,
                channel: Option<String>,
                username: Option<String>,
                color: Option<String>,
                title: Option<String>,
                title_link: Option<String>,
                pretext: Option<String>,
                text: Option<String>,
                fields: Option<Vec<SlackField>>,
                short_fields: Option<bool>,
                footer: Option<String>,
                fallback: Option<String>,
                callback_id: Option<String>,
                icon_emoji: Option<String>,
                #[serde(rename = "iconURL")]
                icon_url: Option<String>,
                #[serde(rename = "imageURL")]
                image_url: Option<String>,
                #[serde(rename = "thumbURL")]
                thumb_url: Option<String>,
                link_names: Option<bool>,
                mrkdwn_in: Option<Vec<String>>,
                actions: Option<Vec<SlackAction>>,
                http_config: Option<HttpConfig>,
                timeout: Option<String>,
                message_text: Option<String>,
                update_message: Option<bool>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::WebhookConfig)])?
            pub(crate) struct WebhookConfig {
                send_resolved: Option<bool>,
                url: Option<String>,
                url_secret: Option<Secret>,
                http_config: Option<HttpConfig>,
                max_alerts: Option<i32>,
                timeout: Option<String>,
                payload: Option<String>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::WebexConfig)])?
            pub(crate) struct WebexConfig {
                send_resolved: Option<bool>,
                #[serde(rename = "apiURL")]
                api_url: Option<String>,
                http_config: Option<HttpConfig>,
                message: Option<String>,
                #[serde(rename = "roomID")]
                room_id: String,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::WeChatConfig)])?
            pub(crate) struct WeChatConfig {
                send_resolved: Option<bool>,
                api_secret: Option<Secret>,
                #[serde(rename = "apiURL")]
                api_url: Option<String>,
                #[serde(rename = "corpID")]
                corp_id: Option<String>,
                #[serde(rename = "agentID")]
                agent_id: Option<String>,
                to_user: Option<String>,
                to_party: Option<String>,
                to_tag: Option<String>,
                message: Option<String>,
                message_type: Option<String>,
                http_config: Option<HttpConfig>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::EmailConfig)])?
            pub(crate) struct EmailConfig {
                send_resolved: Option<bool>,
                to: Option<String>,
                from: Option<String>,
                hello: Option<String>,
                smarthost: Option<String>,
                auth_username: Option<String>,
                auth_password: Option<Secret>,
                auth_secret: Option<Secret>,
                auth_identity: Option<String>,
                headers: Option<Vec<KeyValue>>,
                html: Option<String>,
                text: Option<String>,
                #[serde(rename = "requireTLS")]
                require_tls: Option<bool>,
                tls_config: Option<TlsConfig>,
                #[serde(rename = "forceImplicitTLS")]
                force_implicit_tls: Option<bool>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::VictorOpsConfig)])?
            pub(crate) struct VictorOpsConfig {
                send_resolved: Option<bool>,
                api_key: Option<Secret>,
                api_url: Option<String>,
                routing_key: String,
                message_type: Option<String>,
                entity_display_name: Option<String>,
                state_message: Option<String>,
                monitoring_tool: Option<String>,
                custom_fields: Option<Vec<KeyValue>>,
                http_config: Option<HttpConfig>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::PushoverConfig)])?
            pub(crate) struct PushoverConfig {
                send_resolved: Option<bool>,
                user_key: Option<Secret>,
                user_key_file: Option<String>,
                token: Option<Secret>,
                token_file: Option<String>,
                title: Option<String>,
                message: Option<String>,
                url: Option<String>,
                url_title: Option<String>,
                ttl: Option<String>,
                device: Option<String>,
                sound: Option<String>,
                priority: Option<String>,
                retry: Option<String>,
                expire: Option<String>,
                html: Option<bool>,
                monospace: Option<bool>,
                http_config: Option<HttpConfig>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::SnsConfig)])?
            pub(crate) struct SnsConfig {
                send_resolved: Option<bool>,
                #[serde(rename = "apiURL")]
                api_url: Option<String>,
                sigv4: Option<Sigv4>,
                #[serde(rename = "topicARN")]
                topic_arn: Option<String>,
                subject: Option<String>,
                phone_number: Option<String>,
                #[serde(rename = "targetARN")]
                target_arn: Option<String>,
                message: Option<String>,
                attributes: Option<BTreeMap<String, String>>,
                http_config: Option<HttpConfig>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::TelegramConfig)])?
            pub(crate) struct TelegramConfig {
                send_resolved: Option<bool>,
                #[serde(rename = "apiURL")]
                api_url: Option<String>,
                bot_token: Option<Secret>,
                bot_token_file: Option<String>,
                #[serde(rename = "chatID")]
                chat_id: Option<i64>,
                #[serde(rename = "messageThreadID")]
                message_thread_id: Option<i64>,
                message: Option<String>,
                disable_notifications: Option<bool>,
                parse_mode: Option<String>,
                http_config: Option<HttpConfig>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::MsTeamsConfig)])?
            pub(crate) struct MsTeamsConfig {
                send_resolved: Option<bool>,
                webhook_url: CoreSecret,
                title: Option<String>,
                summary: Option<String>,
                text: Option<String>,
                http_config: Option<HttpConfig>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::MsTeamsV2Config)])?
            pub(crate) struct MsTeamsV2Config {
                send_resolved: Option<bool>,
                #[serde(rename = "webhookURL")]
                webhook_url: Option<CoreSecret>,
                title: Option<String>,
                text: Option<String>,
                http_config: Option<HttpConfig>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::RocketChatConfig)])?
            pub(crate) struct RocketChatConfig {
                send_resolved: Option<bool>,
                #[serde(rename = "apiURL")]
                api_url: Option<String>,
                channel: Option<String>,
                token: Option<CoreSecret>,
                #[serde(rename = "tokenID")]
                token_id: Option<CoreSecret>,
                color: Option<String>,
                emoji: Option<String>,
                #[serde(rename = "iconURL")]
                icon_url: Option<String>,
                text: Option<String>,
                title: Option<String>,
                title_link: Option<String>,
                short_fields: Option<bool>,
                #[serde(rename = "imageURL")]
                image_url: Option<String>,
                #[serde(rename = "thumbURL")]
                thumb_url: Option<String>,
                link_names: Option<bool>,
                http_config: Option<HttpConfig>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::InhibitRule)])?
            pub(crate) struct InhibitRule {
                target_match: Option<Vec<Matcher>>,
                source_match: Option<Vec<Matcher>>,
                equal: Option<Vec<String>>,
            }
        }
        receivers! { @
            $(#[versioned(from = super::$older::Route)])?
            pub(crate) struct Route {
                receiver: Option<String>,
                group_by: Option<Vec<String>>,
                group_wait: Option<String>,
                group_interval: Option<String>,
                repeat_interval: Option<String>,
                matchers: Option<Vec<Matcher>>,
                r#continue: Option<bool>,
                #[versioned(recursion_depth = 2)]
                routes: Option<Vec<Route>>,
                mute_time_intervals: Option<Vec<String>>,
                active_time_intervals: Option<Vec<String>>,
            }
        }
    };
    (@ $($item:tt)*) => {
        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        $($item)*
    };
}

pub(super) use receivers;
