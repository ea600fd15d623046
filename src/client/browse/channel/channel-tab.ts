export const CHANNEL_TABS = [
  { id: 'videos', label: 'Videos' },
  { id: 'clips', label: 'Clips' },
  { id: 'playlists', label: 'Playlists' },
  { id: 'community', label: 'Community' },
  { id: 'channels', label: 'Channels' },
  { id: 'about', label: 'About' },
  { id: 'appearances', label: 'Appears in' },
] as const

export type ChannelTab = (typeof CHANNEL_TABS)[number]['id']

/** The first tab for unknown values. */
export function toChannelTab(value: unknown): ChannelTab {
  return CHANNEL_TABS.find(({ id }) => id === value)?.id ?? 'videos'
}
