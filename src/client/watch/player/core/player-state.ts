import type { Moment } from '#shared/schemas/moment.schemas.ts'
import type { Quality, SourceKind } from '../source/source.ts'
import type { Chapter } from './chapters.ts'
import type { CommentMark } from './comment-marks.ts'

export type TimeRange = { start: number; end: number }

/** Captions that come with a video, as a WebVTT file. */
export type CaptionTrack = { src: string; language: string; label: string }

export type SoundTrack = { label: string }

/** A short sign over the picture that something was done. */
export type Feedback = {
  id: number
  icon: 'play' | 'pause' | 'back' | 'forward' | 'volume' | 'muted' | 'speed' | 'frame' | 'none'
  text: string
}

type Overlay = 'help' | null

/** What the controls show. The media element knows the truth; this mirrors it. Seconds, volume 0 to 1. */
export type PlayerState = {
  isPaused: boolean
  hasStarted: boolean
  hasEnded: boolean
  /** The countdown after this end was stopped. */
  isNextCancelled: boolean
  isWaiting: boolean
  time: number
  duration: number
  buffered: readonly TimeRange[]
  /** As the viewer set it, before levelling. */
  volume: number
  isMuted: boolean
  /** Muted by the browser, not by the viewer. */
  isSoundHeld: boolean
  rate: number
  isLooping: boolean
  /** Twice as fast for as long as a key or the pointer is held. */
  isHurrying: boolean
  source: SourceKind | null
  qualities: readonly Quality[]
  quality: number | 'auto'
  playing: Quality | null
  /** 0 is the first, the one in the file. */
  soundTrack: number
  /** What there is to choose from; known a moment after the video. */
  captions: readonly CaptionTrack[]
  /** The index of the captions shown, or -1. */
  caption: number
  isReconnecting: boolean
  hasFailed: boolean
  isFullScreen: boolean
  isPictureInPicture: boolean
  feedback: Feedback | null
  overlay: Overlay
  areStatsShown: boolean
}

export type NextVideo = {
  id: number
  title: string
  thumbnailUrl: string | null
  channelName: string
  durationSeconds: number
  /** Of a list that plays on by itself, without a countdown. */
  isQueued?: boolean
}

/** What a player plays; it stays the same for the player's life. */
export type PlayerOptions = {
  videoId: number
  title: string
  channelName: string
  posterUrl: string | null
  /** A progressive MP4. */
  videoUrl: string
  hlsUrl: string | null
  /** The short side of the file's picture, in pixels, where it is known. */
  lines: number | null
  durationSeconds: number
  startSeconds: number
  /** The part of the file that is played, all of it by default; every other time counts from its beginning. */
  range?: TimeRange
  /** Plays at once, where the browser allows it. */
  autoPlay: boolean
  /** Whatever was chosen before; it is not remembered. */
  startsMuted?: boolean
  /** It is alone on the page of another member's frame. */
  isEmbedded?: boolean
  /** It is a part of a page that is about something else: its keys work inside it only, and most letters are the page's. */
  isInline?: boolean
  /** Where it is watched, for links to it: the watch page by default, nowhere for null. */
  pagePath?: string | null
}

/** A stretch that is worth looking at, and how many viewers marked it. */
export type PlayerMoment = Pick<Moment, 'atSeconds' | 'endSeconds' | 'count'>

/** What lies around the video; it may change while it plays. */
export type PlayerSurroundings = {
  chapters: readonly Chapter[]
  marks: readonly CommentMark[]
  /** How much each equal part was watched, 0 to 1; empty when that is not known. */
  heat: readonly number[]
  /** Where it is worth looking at, in the order of the times. */
  moments: readonly PlayerMoment[]
  /** Marks a moment; null for who may not. */
  onMark: ((seconds: number) => void) | null
  next: NextVideo | null
  /** The one before in the list that is played. */
  previous: NextVideo | null
  /** In the order of the recording; empty when there is one only. */
  soundTracks: readonly SoundTrack[]
  captions: readonly CaptionTrack[]
  /** The renditions there are to choose from, also while the file itself plays. */
  qualities: readonly Quality[]
  /** Integrated loudness, where it was measured. */
  loudnessLufs: number | null
}
