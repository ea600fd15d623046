import type { VideoSort, VideoState } from '#shared/video.schemas.ts'

export const STATES: readonly { value: VideoState; label: string }[] = [
  { value: 'all', label: 'All videos' },
  { value: 'published', label: 'Published' },
  { value: 'pending', label: 'Pending Approval' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'processing', label: 'Being prepared' },
  { value: 'failed', label: 'Failed' },
]

export const SORTS: readonly { value: VideoSort; label: string }[] = [
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
  { value: 'views', label: 'Most views' },
  { value: 'title', label: 'Title' },
]

/** What the studio's address says; what is usual is left out. */
export type StudioAddress = {
  state?: Exclude<VideoState, 'all'>
  sort?: Exclude<VideoSort, 'newest'>
  q?: string
  view?: 'table'
  tab?: 'analytics'
  /** The id of the video that the analytics show alone. */
  video?: string
}

export function toStudioAddress(search: Record<string, unknown>): StudioAddress {
  const { q } = search
  const state = STATES.find(({ value }) => value !== 'all' && value === search.state)?.value
  const sort = SORTS.find(({ value }) => value !== 'newest' && value === search.sort)?.value
  return {
    ...(state && { state: state as NonNullable<StudioAddress['state']> }),
    ...(sort && { sort: sort as NonNullable<StudioAddress['sort']> }),
    ...(typeof q === 'string' && q && { q }),
    ...(search.view === 'table' && { view: 'table' as const }),
    ...(search.tab === 'analytics' && { tab: 'analytics' as const }),
    ...(typeof search.video === 'string' && /^\d+$/.test(search.video) && { video: search.video }),
  }
}

/** What is asked of the server for an address. */
export function toStudioInput(userId: number, { state, sort, q }: StudioAddress) {
  return { id: userId, state, sort, q }
}
