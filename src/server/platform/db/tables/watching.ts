import type { Default } from './column.ts'

/** Seconds watched per hundredth of a video. */
export interface HeatTable {
  videoId: number
  slice: number
  seconds: number
}

/** A visit ends when the member is away for a while; see `discovery/home/`. */
export interface VisitsTable {
  userId: number
  startedAt: string
  /** May be some minutes late, so that it is not written at each request. */
  seenAt: string
  /** When the visit before ended; null during the first visit. */
  previousAt: string | null
}

export interface ViewsTable {
  videoId: number
  /** A member's id, or keyed digests of address and browser. */
  viewerKey: string
  viewedAt: string
}

export interface DailyViewsTable {
  /** YYYY-MM-DD, UTC. */
  day: string
  videoId: number
  count: number
}

export interface WatchedNextTable {
  videoId: number
  nextVideoId: number
  count: number
}

export interface HistoryTable {
  userId: number
  videoId: number
  positionSeconds: number
  watchedAt: string
}

/** Excluded from recommendations. */
export interface HiddenVideosTable {
  userId: number
  videoId: number
}

/** UTC; views are in `dailyViews`. Triggers keep likes. */
export interface VideoDaysTable {
  videoId: number
  /** YYYY-MM-DD. */
  day: string
  watchSeconds: Default<number>
  likes: Default<number>
}

export interface VideoSourcesTable {
  videoId: number
  day: string
  source: 'site' | 'direct' | 'search' | 'external' | 'embed'
  views: number
}

/** Current views, with several nodes; times in milliseconds since 1970. */
export interface WatchingTable {
  /** Viewer, and video or clip. */
  name: string
  firstAt: number
  lastAt: number
  /** Of the last report; fresh ones were new. */
  watchedSeconds: number
  freshSeconds: number
}
