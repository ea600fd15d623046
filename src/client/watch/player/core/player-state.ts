import type { Chapter } from '#shared/chapters.ts'
import type { Moment } from '#shared/schemas/moment.schemas.ts'
import type { SoundMix } from '#shared/sound-mix.ts'
import type { Quality, SourceKind } from '../source/source.ts'
import type { CommentMark } from './comment-marks.ts'

export type TimeRange = { start: number; end: number }

/** WebVTT. */
export type CaptionTrack = { src: string; language: string; label: string }

export type SoundTrack = {
  label: string
  /** As recorded, from 1; 0 for the owner's mix. */
  number: number
  isVoice: boolean
}

/** Short sign over the picture. */
export type Feedback = {
  id: number
  icon: 'play' | 'pause' | 'back' | 'forward' | 'volume' | 'muted' | 'speed' | 'frame' | 'none'
  text: string
}

type Overlay = 'help' | null

/** Mirror of the media element, for the controls. Times in seconds, volume 0 to 1. */
export type PlayerState = {
  isPaused: boolean
  /** Not yet playing, but about to, if the browser allows it. */
  isStarting: boolean
  hasStarted: boolean
  hasEnded: boolean
  /** The viewer stopped the countdown. */
  isNextCancelled: boolean
  isWaiting: boolean
  time: number
  duration: number
  buffered: readonly TimeRange[]
  /** Chosen volume, before levelling. */
  volume: number
  isMuted: boolean
  /** Muted by the browser. */
  isSoundHeld: boolean
  rate: number
  isLooping: boolean
  /** Double speed while a key or the pointer is held. */
  isHurrying: boolean
  source: SourceKind | null
  qualities: readonly Quality[]
  quality: number | 'auto'
  playing: Quality | null
  /** 0 is the track in the file. */
  soundTrack: number
  /** Loaded after the video. */
  captions: readonly CaptionTrack[]
  /** Index of the shown captions, or -1. */
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
  /** From a queue, which continues without a countdown. */
  isQueued?: boolean
}

/** Constant for the player's life. */
export type PlayerOptions = {
  videoId: number
  title: string
  channelName: string
  posterUrl: string | null
  /** Progressive MP4. */
  videoUrl: string
  hlsUrl: string | null
  /** Pixels of the short side. */
  lines: number | null
  durationSeconds: number
  startSeconds: number
  /** Part of the file to play; all other times count from its start. */
  range?: TimeRange
  /** If the browser allows it. */
  autoPlay: boolean
  /** Overrides the remembered choice, and is not remembered. */
  startsMuted?: boolean
  /** The stream grows while it plays, and there is no file: its end may only be its end so far. */
  isArriving?: boolean
  /** Alone in another site's frame. */
  isEmbedded?: boolean
  /** Keys work only inside, and most letters belong to the page. */
  isInline?: boolean
  /** Page for links; the watch page by default, null for none. */
  pagePath?: string | null
  /**
   * One of several pictures that play together: this quality in place of the remembered one, which stays, and no media
   * keys of its own.
   */
  partQuality?: number | 'auto'
}

/** `count` viewers marked it. */
export type PlayerMoment = Pick<Moment, 'atSeconds' | 'endSeconds' | 'count'>

/** May change during playback. */
export type PlayerSurroundings = {
  chapters: readonly Chapter[]
  marks: readonly CommentMark[]
  /** 0 to 1 per part; empty when unknown. */
  heat: readonly number[]
  /** Ascending. */
  moments: readonly PlayerMoment[]
  /** Null when not allowed. */
  onMark: ((seconds: number) => void) | null
  next: NextVideo | null
  /** In the queue. */
  previous: NextVideo | null
  /** In recording order; empty for a single track. */
  soundTracks: readonly SoundTrack[]
  /** The mix that the first sound was made from. It is null for the first track. */
  soundMix: SoundMix | null
  captions: readonly CaptionTrack[]
  /** Also known while the file plays. */
  qualities: readonly Quality[]
  /** EBU R 128, if measured. */
  loudnessLufs: number | null
}
