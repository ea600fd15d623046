/** Kinds of events as they appear in messages. */
export const WEBHOOK_KINDS = [
  'video.published',
  'clip.made',
  'comment.posted',
  'member.joined',
  'report.made',
  'job.failed',
  'disk.nearly_full',
] as const
export type WebhookKind = (typeof WEBHOOK_KINDS)[number]

/** Characters. */
export const WEBHOOK_NAME_MAX = 40
export const WEBHOOKS_MAX = 50
/** Consecutive failures after which nothing is sent until an admin resumes the webhook. */
export const WEBHOOK_FAILURES_MAX = 50
/** Maximum number of characters in the text of a post. */
export const TEMPLATE_MAX = 500
export const DEFAULT_TEMPLATE = '{title} by {name}\n{link}'
/** Discord takes files of this size on every server. */
export const CHAT_FILE_BYTES_MAX = 10 * 1024 * 1024
/** Addresses of webhooks end in a secret token. */
export const CHAT_WEBHOOK_PATH = /^\/api\/(?:v\d+\/)?webhooks\/(\d+)\/[\w-]+$/
/** The list of deliveries shows this many, and keeps them for seven days. */
export const DELIVERIES_SHOWN = 50
export const DELIVERY_DAYS = 7
