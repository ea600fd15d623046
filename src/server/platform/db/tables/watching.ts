import type { Default } from './column.ts'

/** How long each hundredth of a video was watched, all viewers together. */
export interface HeatTable {
  videoId: number
  slice: number
  seconds: number
}

/** When a viewer's view of a video last counted. */
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

/** How often a view of one video was followed by one of another. */
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

/** Videos that a member does not want to be shown. */
export interface HiddenVideosTable {
  userId: number
  videoId: number
}

/** What a video earned on a day, in UTC; its views are in `dailyViews`. Likes are maintained by triggers. */
export interface VideoDaysTable {
  videoId: number
  /** YYYY-MM-DD. */
  day: string
  watchSeconds: Default<number>
  likes: Default<number>
}

/** Where the views of a day came from. */
export interface VideoSourcesTable {
  videoId: number
  day: string
  source: 'site' | 'direct' | 'search' | 'external' | 'embed'
  views: number
}

/** Since when who watches what, where several processes are told: times in milliseconds since 1970. */
export interface WatchingTable {
  /** Identifies the viewer and the video or clip. */
  name: string
  firstAt: number
  lastAt: number
  /** Seconds in the last report, and how many of them were new. */
  watchedSeconds: number
  freshSeconds: number
}
