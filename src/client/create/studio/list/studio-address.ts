import type { InboxFilter } from '#shared/schemas/inbox.schemas.ts'
import type { VideoSort, VideoState } from '#shared/schemas/video.schemas.ts'

export const STUDIO_STATES = [
  'published',
  'pending',
  'rejected',
  'hidden',
  'processing',
  'failed',
] as const
const SORTS = ['oldest', 'views', 'title'] as const
const SHOWN = ['dismissed', 'unusable'] as const
const TABS = ['inbox', 'analytics', 'clips', 'storage'] as const

/** Defaults are omitted. */
export type StudioAddress = {
  state?: Exclude<VideoState, 'all'>
  sort?: Exclude<VideoSort, 'newest'>
  q?: string
  view?: 'table'
  tab?: (typeof TABS)[number]
  /** Filter of the inbox. */
  show?: Exclude<InboxFilter, 'open'>
  /** Limits analytics to a video. */
  video?: string
}

export function toStudioAddress(search: Record<string, unknown>): StudioAddress {
  const { q } = search
  const state = STUDIO_STATES.find((value) => value === search.state)
  const sort = SORTS.find((value) => value === search.sort)
  const show = SHOWN.find((value) => value === search.show)
  const tab = TABS.find((value) => value === search.tab)
  return {
    ...(state && { state }),
    ...(sort && { sort }),
    ...(typeof q === 'string' && q && { q }),
    ...(search.view === 'table' && { view: 'table' as const }),
    ...(tab && { tab }),
    ...(show && { show }),
    ...(typeof search.video === 'string' && /^\d+$/.test(search.video) && { video: search.video }),
  }
}

export function toStudioInput(userId: number, { state, sort, q }: StudioAddress) {
  return { id: userId, state, sort, q }
}
