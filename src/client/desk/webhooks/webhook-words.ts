import type { Delivery, Webhook } from '#shared/schemas/desk/webhook.schemas.ts'
import type { WebhookKind } from '#shared/webhooks.ts'

export const EVENTS: Record<WebhookKind, string> = {
  'video.published': 'A video is published',
  'clip.made': 'A clip is made',
  'comment.posted': 'A comment is written',
  'member.joined': 'A member joins',
  'report.made': 'Something is reported',
  'job.failed': 'A job fails',
  'disk.nearly_full': 'The disk is nearly full',
}

export function placeOf({
  category,
  squad,
  channel,
}: Pick<Webhook, 'category' | 'squad' | 'channel'>): string {
  if (channel !== null) return `Channel @${channel}`
  if (squad) return `Squad ${squad.name}`
  return category ?? 'Whole site'
}

export const hostOf = (address: string) => URL.parse(address)?.host ?? address

/** Describes the last attempt: '204 after 12 ms'. */
export function outcomeOf({ status, ms }: Pick<Delivery, 'status' | 'ms'>): string {
  if (status === null) return 'No answer'
  return ms === null ? String(status) : `${status} after ${ms} ms`
}
