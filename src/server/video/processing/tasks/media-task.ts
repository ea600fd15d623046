import { dirname, join } from 'node:path'
import type { SoundMix } from '#shared/sound-mix.ts'
import type { EncoderName } from '../encode/encoder-name.ts'
import type { Container } from '../source/container.ts'

/** Absolute paths; output folders exist. */
export type MediaTask =
  | PrepareTask
  | GlanceTask
  | TranscodeTask
  | LadderTask
  | ThumbnailTask
  | PosterTask
  | CardsTask
  | TestEncoderTask
  | InspectTask
  | KeyFramesTask
  | CutTask
  | ClipTask
  | MontageTask
  | JoinTask
  | AlignTask
  | MixTask

/** Writes `poster.jpg`, text tracks, and `video.mp4` if it plays as uploaded. */
export type PrepareTask = { kind: 'prepare'; sourcePath: string; outputFolder: string }

/** Reads only a small part of the file, and writes a JPEG within 320x180. */
export type GlanceTask = { kind: 'glance'; sourcePath: string; outputPath: string }

export type GlanceResult = {
  /** The duration that the file states, or 0 if it states none. */
  durationSeconds: number
  width: number
  height: number
  hasPicture: boolean
}

/** Relative to the output folder. */
export type PrepareResult = {
  probe: SourceProbe
  videoFile: string | null
  posterFile: string | null
  texts: TextTrackFile[]
}

/** Sanitize before serving. */
export type TextTrackFile = {
  file: string
  /** ISO 639. */
  language: string | null
  name: string | null
}

export type SourceProbe = {
  container: Container
  durationSeconds: number
  width: number
  height: number
  /** Clockwise degrees to upright. */
  rotation: 0 | 90 | 180 | 270
  frameRate: number
  /** FFmpeg's names. */
  videoCodec: string
  audioCodecs: string[]
  /** First track, ISO 639. */
  soundLanguage: string | null
  playsAsIs: boolean
}

/** H.264 and AAC, at most 1920x1080 (or upright) and 60 fps. */
export type TranscodeTask = {
  kind: 'transcode'
  sourcePath: string
  outputPath: string
  /**
   * Makes the first file to play: copies at any size or encodes at this short side, with all sound
   * tracks.
   */
  quickShortSide?: number
  encoder?: EncoderName
}

export type TranscodeResult = {
  durationSeconds: number
  width: number
  height: number
  copied: boolean
}

/** With a progressive `video.mp4` if the existing one is not the best. */
export type LadderTask = {
  kind: 'ladder'
  sourcePath: string
  /** Progressive MP4; may equal `sourcePath`. */
  playablePath: string
  outputFolder: string
  /** JPEG. */
  thumbnailPath: string | null
  heights: number[]
  /** It begins with its owner's mix, before the recorded tracks. */
  hasMix?: boolean
  /** Maximum size of the file for chats. The default is `SHARE_FILE_BYTES_MAX`. */
  shareBytesMax?: number
  encoder?: EncoderName
}

export type MadeFile = {
  name: string
  kind: 'video' | 'rendition' | 'playlist' | 'sound' | 'picture' | 'storyboard' | 'share'
  bytes: number
}

export type RenditionResult = {
  name: number
  width: number
  height: number
  /** Bits per second: peak and average. */
  bandwidth: number
  averageBandwidth: number
  codecs: string
  frameRate: number
  file: string
  playlistFile: string
  copied: boolean
}

export type SoundTrackResult = {
  file: string
  /** ISO 639. */
  language: string | null
}

export type FoundMoment = {
  source: 'chapter' | 'loud' | 'scene'
  atSeconds: number
  /** 0 to 1. */
  weight: number
  title: string | null
}

/** Relative to the output folder. */
export type LadderResult = {
  durationSeconds: number
  /** Largest rendition. */
  width: number
  height: number
  /** Largest first. */
  renditions: RenditionResult[]
  /** First track, ISO 639. */
  soundLanguage: string | null
  /** From the second on. */
  soundTracks: SoundTrackResult[]
  /** From the first on; empty for one. */
  soundNames: (string | null)[]
  /** EBU R 128; null for silence. */
  loudnessLufs: number | null
  moments: FoundMoment[]
  masterFile: string
  /** Null if the existing one is best. */
  progressiveFile: string | null
  /** For chat programs, at most 720p. */
  share: 'best' | 'playable' | 'file' | null
  storyboardFile: string | null
  /** WebP; null without an encoder. */
  cardFile: string | null
  /** Base64 of a WebP picture within 24x24 pixels; null without an encoder. */
  preview: string | null
  files: MadeFile[]
}

/** PNG by the extension of `outputPath`, else JPEG; `box` is 1280x720 by default. */
export type ThumbnailTask = {
  kind: 'thumbnail'
  sourcePath: string
  outputPath: string
  /** Pixels. */
  box?: { width: number; height: number }
}

export type ThumbnailResult = { width: number; height: number }

export type PosterTask = {
  kind: 'poster'
  sourcePath: string
  outputFolder: string
  name: string
  atSeconds: number | null
}

/** Relative to the output folder. */
export type PosterResult = {
  posterFile: string
  /** WebP; null without an encoder. */
  cardFile: string | null
  /** As in `LadderResult`. */
  preview: string | null
  files: MadeFile[]
}

/** The source is a PNG or JPEG picture. */
export type CardsTask = {
  kind: 'cards'
  sourcePath: string
  outputFolder: string
  name: string
}

/** Relative to the output folder. */
export type CardsResult = Pick<PosterResult, 'cardFile' | 'preview' | 'files'>

export const NO_CARDS: CardsResult = { cardFile: null, preview: null, files: [] }

/** Fails without a working card. */
export type TestEncoderTask = { kind: 'test-encoder'; encoder: EncoderName }

export type TestEncoderResult = { encoder: EncoderName }

export type InspectTask = {
  kind: 'inspect'
  files: { path: string; kind: 'video' | 'sound' }[]
}

/** Null if invalid. */
export type InspectResult = { files: (InspectedFile | null)[] }

export type InspectedFile = {
  container: Container
  /** Picture first. */
  codecs: string[]
  /** 0 for sound. */
  width: number
  height: number
  /** 0 for fragments. */
  durationSeconds: number
  pictures: number
}

export type KeyFramesTask = { kind: 'key-frames'; sourcePath: string }

export type KeyFramesResult = {
  durationSeconds: number
  /** 0 when unknown. */
  frameRate: number
  keyFrameSeconds: number[]
}

/** Encodes only where necessary, or everything if short or unverified. */
export type CutTask = {
  kind: 'cut'
  sourcePath: string
  outputFolder: string
  /** In order, disjoint, in playback time. */
  parts: { fromSeconds: number; toSeconds: number }[]
  encoder?: EncoderName
  /** The default puts the first audible track first. */
  keepsSoundOrder?: boolean
  /** Up to this everything is encoded; 60 by default. */
  wholeSeconds?: number
}

export type CutResult = {
  durationSeconds: number
  width: number
  height: number
  /** First track, ISO 639. */
  soundLanguage: string | null
  /** Aligned to pictures. */
  parts: { fromSeconds: number; toSeconds: number }[]
  encodedPictures: number
  /** For the log; null where pictures were copied. */
  wholeBecause: string | null
  videoFile: string
  posterFile: string | null
}

/** Playback time. */
export type ClipTask = {
  kind: 'clip'
  sourcePath: string
  outputPath: string
  startSeconds: number
  endSeconds: number
}

export type ClipResult = { bytes: number }

/** To one size, rate and loudness. */
export type MontageTask = {
  kind: 'montage'
  outputFolder: string
  /** Playback time; display name. */
  parts: { sourcePath: string; name: string; fromSeconds: number; toSeconds: number }[]
  transition: 'fade' | 'cut'
  titleCard: { title: string; subtitle: string } | null
  encoder?: EncoderName
}

export type MontageResult = {
  durationSeconds: number
  width: number
  height: number
  videoFile: string
  posterFile: string | null
}

/** Copies recordings of the same format, one after the other, into one MP4. */
export type JoinTask = {
  kind: 'join'
  recordings: { picturePath: string; soundPath: string | null }[]
  outputPath: string
}

export type JoinResult = { durationSeconds: number }

/** Finds by their sound when recordings of one match began. */
export type AlignTask = { kind: 'align'; sourcePaths: string[] }

/** Counted from one of them; null where the sound does not tell. */
export type AlignResult = { offsets: (number | null)[] }

export type MediaResult =
  | PrepareResult
  | GlanceResult
  | TranscodeResult
  | LadderResult
  | ThumbnailResult
  | PosterResult
  | CardsResult
  | TestEncoderResult
  | InspectResult
  | KeyFramesResult
  | CutResult
  | ClipResult
  | MontageResult
  | JoinResult
  | AlignResult
  | MixResult

/** Makes the sound of a video again and copies the rest. */
export type MixTask = {
  kind: 'mix'
  /** Progressive MP4. */
  playablePath: string
  /** It begins with an earlier mix. */
  hasMix: boolean
  /** Null for the first track alone. */
  mix: SoundMix | null
  /** Sound of the tracks of `mix`, or of the first one. */
  trackPaths: string[]
  /** Playlist of the stream. */
  masterPath: string
  /** For chat programs; may equal `playablePath`. */
  sharePath: string | null
  shareBytesMax: number
  outputFolder: string
}

/** Relative to the output folder. */
export type MixResult = {
  videoFile: string
  masterFile: string
  /** The first recorded track on its own, where the video begins with the first mix. */
  firstTrackFile: string | null
  share: 'best' | 'file' | null
  /** As in `LadderResult`. */
  loudnessLufs: number | null
  files: MadeFile[]
}

type MediaStage = 'reading' | 'encoding' | 'storyboard' | 'sharing'

export type MediaProgress = {
  /** 0 to 100, rising. */
  percent: number
  stage: MediaStage
  /** Seconds of video. */
  doneSeconds: number
}

export type Report = (percent: number, details?: Partial<Omit<MediaProgress, 'percent'>>) => void

export type MediaOrder = { task: MediaTask; memoryLimitBytes: number }

export type MediaMessage =
  | ({ kind: 'progress' } & MediaProgress)
  | { kind: 'done'; result: MediaResult }
  | { kind: 'unplayable'; message: string }
  | { kind: 'no-space' }
  | { kind: 'failed'; diagnostics: string }

/** With a limit of their own and the lowest priority. */
export function isJobTask({ kind }: MediaTask): boolean {
  return ['transcode', 'ladder', 'cut', 'clip', 'montage', 'join', 'align', 'mix'].includes(kind)
}

type UploadTask = PrepareTask | TranscodeTask | LadderTask | CutTask

/** Others read our own files. */
export function readsUpload(task: MediaTask): task is UploadTask {
  return ['prepare', 'transcode', 'ladder', 'cut'].includes(task.kind)
}

export function indexedCopyPath(task: UploadTask): string {
  const folder = task.kind === 'transcode' ? dirname(task.outputPath) : task.outputFolder
  return join(folder, 'indexed.mkv')
}
