export const FEED_TABS = [
  { id: 'videos', label: 'Videos' },
  { id: 'channels', label: 'Channels' },
] as const

export type FeedTab = (typeof FEED_TABS)[number]['id']

/** The first tab for unknown values. */
export function toFeedTab(value: unknown): FeedTab {
  return value === 'channels' ? 'channels' : 'videos'
}
