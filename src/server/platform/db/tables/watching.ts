import type { Default } from './column.ts'

/** Seconds watched in each hundredth of a video, by all viewers. */
export interface HeatTable {
  videoId: number
  slice: number
  seconds: number
}

/** When a view of the viewer last counted. */
export interface ViewsTable {
  videoId: number
  /** A member's id, or keyed digests of a visitor's address and browser. */
  viewerKey: string
  viewedAt: string
}

export interface DailyViewsTable {
  /** YYYY-MM-DD, UTC. */
  day: string
  videoId: number
  count: number
}

/** How often a view of one video was followed by a view of another. */
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

/** Videos excluded from the member's recommendations. */
export interface HiddenVideosTable {
  userId: number
  videoId: number
}

/** Per day, in UTC, without views, which are in `dailyViews`. Triggers maintain likes. */
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

/** Current views, where nodes share the database. Times are in milliseconds since 1970. */
export interface WatchingTable {
  /** Identifies the viewer and the video or clip. */
  name: string
  firstAt: number
  lastAt: number
  /** Of the last report; fresh seconds were not reported before. */
  watchedSeconds: number
  freshSeconds: number
}
