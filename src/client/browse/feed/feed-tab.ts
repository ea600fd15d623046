export const FEED_TABS = [
  { id: 'videos', label: 'Videos' },
  { id: 'channels', label: 'Channels' },
] as const

export type FeedTab = (typeof FEED_TABS)[number]['id']

/** The tab that `?tab=` names; without it, or with another word, it is the first. */
export function toFeedTab(value: unknown): FeedTab {
  return value === 'channels' ? 'channels' : 'videos'
}
