import { dirname, join } from 'node:path'
import type { EncoderName } from '../encode/encoder-name.ts'
import type { Container } from '../source/container.ts'

/** One piece of media work for the child process. Every path is absolute; output folders exist already. */
export type MediaTask =
  | PrepareTask
  | TranscodeTask
  | LadderTask
  | ThumbnailTask
  | PosterTask
  | TestEncoderTask
  | InspectTask
  | KeyFramesTask
  | CutTask
  | ClipTask
  | MontageTask

/**
 * Examines an uploaded video. When it plays as it is, it is remuxed with fast start into
 * `outputFolder/video.mp4`; a poster goes to `outputFolder/poster.jpg` in all cases, and text tracks to files beside them.
 */
export type PrepareTask = { kind: 'prepare'; sourcePath: string; outputFolder: string }

/** File names are relative to the task's output folder; null where there is nothing to serve. */
export type PrepareResult = {
  probe: SourceProbe
  videoFile: string | null
  posterFile: string | null
  texts: TextTrackFile[]
}

/** A text track of the recording as WebVTT, which is to be cleaned before it is served. */
export type TextTrackFile = {
  file: string
  /** ISO 639, where the recording declares it. */
  language: string | null
  /** As its writer called it. */
  name: string | null
}

export type SourceProbe = {
  container: Container
  durationSeconds: number
  /** As displayed, after rotation and pixel aspect. */
  width: number
  height: number
  /** Clockwise turn that makes the stored picture upright, in degrees. */
  rotation: 0 | 90 | 180 | 270
  /** Average frames per second. */
  frameRate: number
  /** FFmpeg's codec names, such as `h264`. */
  videoCodec: string
  audioCodecs: string[]
  /** Of the first sound track, ISO 639; null where the recording does not declare it. */
  soundLanguage: string | null
  /** Browsers play the streams without encoding them again. */
  playsAsIs: boolean
}

/** Makes an H.264 and AAC MP4 of at most 1920x1080 (1080x1920 when upright) and 60 fps. */
export type TranscodeTask = {
  kind: 'transcode'
  sourcePath: string
  outputPath: string
  /**
   * When given, whatever plays soonest is made: a picture that browsers play is copied at any size, another
   * one encoded at this short side (or its own), and all sound tracks are kept.
   */
  quickShortSide?: number
  /** The one that runs anywhere, by default. */
  encoder?: EncoderName
}

export type TranscodeResult = {
  durationSeconds: number
  width: number
  height: number
  /** The picture was not encoded again. */
  copied: boolean
}

/**
 * Makes all that a video still lacks once it plays: the adaptive stream in `outputFolder`, and a
 * progressive `video.mp4` when the one that plays is not the best.
 */
export type LadderTask = {
  kind: 'ladder'
  /** The best picture there is. */
  sourcePath: string
  /** The progressive MP4 that plays already; it may be the same file. */
  playablePath: string
  outputFolder: string
  /** The JPEG that stands for the video; it is made in further sizes and kinds. */
  thumbnailPath: string | null
  /** The wanted short sides of the picture; those above the source are left out. */
  heights: number[]
  /** The one that runs anywhere, by default. */
  encoder?: EncoderName
}

export type MadeFile = {
  name: string
  kind: 'video' | 'rendition' | 'playlist' | 'sound' | 'picture' | 'storyboard' | 'share'
  bytes: number
}

export type RenditionResult = {
  /** What people call it, such as 1080: the short side of the picture. */
  name: number
  width: number
  height: number
  /** Bits per second of the busiest stretch, and of the whole. */
  bandwidth: number
  averageBandwidth: number
  codecs: string
  frameRate: number
  file: string
  playlistFile: string
  /** The picture was not encoded again. */
  copied: boolean
}

export type SoundTrackResult = {
  file: string
  /** ISO 639, where the recording declares it. */
  language: string | null
}

/** Something of a recording that stands out, or that its recorder marked. */
export type FoundMoment = {
  source: 'chapter' | 'loud' | 'scene'
  atSeconds: number
  /** 0 to 1. */
  weight: number
  /** What the recorder called it. */
  title: string | null
}

/** File names are relative to the task's output folder. */
export type LadderResult = {
  durationSeconds: number
  /** Of the largest step. */
  width: number
  height: number
  /** Largest first. */
  renditions: RenditionResult[]
  /** Of the sound in the steps, ISO 639; null where the recording does not declare it. */
  soundLanguage: string | null
  /** The second and further sound tracks, as files of sound alone. */
  soundTracks: SoundTrackResult[]
  /** What the recorder called each track, the first one included; empty where there are not several. */
  soundNames: (string | null)[]
  /** Integrated, EBU R 128; null for silence. */
  loudnessLufs: number | null
  moments: FoundMoment[]
  masterFile: string
  /** Null when the file that plays already is the best. */
  progressiveFile: string | null
  /** What chat programs are given to play, at most 720p: one of the progressive files, a file of its own, or nothing. */
  share: 'best' | 'playable' | 'file' | null
  storyboardFile: string | null
  /** The thumbnail at card size in WebP; the JPEG beside it has the same name. */
  cardFile: string | null
  files: MadeFile[]
}

/**
 * Makes a JPEG, or a PNG when `outputPath` ends so, that fits into `box` (1280x720 by default) from an
 * uploaded PNG or JPEG.
 */
export type ThumbnailTask = {
  kind: 'thumbnail'
  sourcePath: string
  outputPath: string
  /** Pixels. */
  box?: { width: number; height: number }
}

export type ThumbnailResult = { width: number; height: number }

/**
 * Makes the picture that stands for a video, in all the sizes and kinds that pages show: of a frame of the
 * video, or of an uploaded PNG or JPEG.
 */
export type PosterTask = {
  kind: 'poster'
  sourcePath: string
  /** It has this folder to itself. */
  outputFolder: string
  /** Of the files, without an extension. */
  name: string
  /** The frame that is shown at this time; null when the source is a picture. */
  atSeconds: number | null
}

/** File names are relative to the task's output folder. */
export type PosterResult = {
  /** A JPEG that fits into 1280x720. */
  posterFile: string
  /** The same at card size in WebP; null when the build has no WebP. */
  cardFile: string | null
  files: MadeFile[]
}

/** Finds out whether this machine can encode with a graphics card; fails when it cannot. */
export type TestEncoderTask = { kind: 'test-encoder'; encoder: EncoderName }

export type TestEncoderResult = { encoder: EncoderName }

/** Finds out what files are that another machine made; each is read from end to end. */
export type InspectTask = {
  kind: 'inspect'
  files: { path: string; kind: 'video' | 'sound' }[]
}

/** Null where a file is not what it should be. */
export type InspectResult = { files: (InspectedFile | null)[] }

export type InspectedFile = {
  container: Container
  /** FFmpeg's names, of the picture first. */
  codecs: string[]
  /** As displayed; 0 for sound. */
  width: number
  height: number
  /** 0 for sound in fragments. */
  durationSeconds: number
  pictures: number
}

/** Finds the pictures of a video that nothing before them is needed for. */
export type KeyFramesTask = { kind: 'key-frames'; sourcePath: string }

/** Times in seconds from where playback begins. */
export type KeyFramesResult = {
  durationSeconds: number
  /** Average frames per second; 0 when unknown. */
  frameRate: number
  keyFrameSeconds: number[]
}

/**
 * Makes an MP4 of parts of a video, as `outputFolder/video.mp4`, and `outputFolder/poster.jpg`. The picture is encoded again
 * where it has to be and no more, or as a whole where that is short, or what was joined is not without a flaw.
 */
export type CutTask = {
  kind: 'cut'
  sourcePath: string
  outputFolder: string
  /** What is kept, in order and without overlaps; seconds of playback. */
  parts: { fromSeconds: number; toSeconds: number }[]
  /** The one that runs anywhere, by default; for what is encoded as a whole. */
  encoder?: EncoderName
  /** Short enough to be encoded as a whole, in seconds; 60 by default. */
  wholeSeconds?: number
}

export type CutResult = {
  durationSeconds: number
  width: number
  height: number
  /** ISO 639, of the first sound track. */
  soundLanguage: string | null
  /** What was kept, by pictures: each part begins with one and ends where the next one would begin. */
  parts: { fromSeconds: number; toSeconds: number }[]
  /** Pictures that were encoded again. */
  encodedPictures: number
  /** Why all of them were; null where some were copied. */
  wholeBecause: string | null
  videoFile: string
  posterFile: string | null
}

/** Makes a small progressive MP4 of a part of a video that plays. Seconds of playback. */
export type ClipTask = {
  kind: 'clip'
  sourcePath: string
  outputPath: string
  startSeconds: number
  endSeconds: number
}

export type ClipResult = { bytes: number }

/**
 * Makes one MP4 of stretches of several videos, as `outputFolder/video.mp4`, and `outputFolder/poster.jpg`: in one size and at
 * one rate, each as loud as the others.
 */
export type MontageTask = {
  kind: 'montage'
  outputFolder: string
  /** In their order; seconds of playback. `name` is what people call it. */
  parts: { sourcePath: string; name: string; fromSeconds: number; toSeconds: number }[]
  transition: 'fade' | 'cut'
  /** Null for none. */
  titleCard: { title: string; subtitle: string } | null
  /** The one that runs anywhere, by default. */
  encoder?: EncoderName
}

export type MontageResult = {
  durationSeconds: number
  width: number
  height: number
  videoFile: string
  posterFile: string | null
}

export type MediaResult =
  | PrepareResult
  | TranscodeResult
  | LadderResult
  | ThumbnailResult
  | PosterResult
  | TestEncoderResult
  | InspectResult
  | KeyFramesResult
  | CutResult
  | ClipResult
  | MontageResult

/** What a piece of work is busy with, for people who wait. */
type MediaStage = 'reading' | 'encoding' | 'storyboard' | 'sharing'

/** How far a piece of work has come. */
export type MediaProgress = {
  /** 0 to 100, never falling within a task. */
  percent: number
  stage: MediaStage
  /** Seconds of the video that are done. */
  doneSeconds: number
}

/** Reports how far the work is; only what rises is passed on. */
export type Report = (percent: number, details?: Partial<Omit<MediaProgress, 'percent'>>) => void

/** What the parent sends to the child, once. */
export type MediaOrder = { task: MediaTask; memoryLimitBytes: number }

/** What the child sends to its parent: any number of progress messages, then one of the others. */
export type MediaMessage =
  | ({ kind: 'progress' } & MediaProgress)
  | { kind: 'done'; result: MediaResult }
  | { kind: 'unplayable'; message: string }
  | { kind: 'no-space' }
  | { kind: 'failed'; diagnostics: string }

/** What jobs do, by a limit of their own and after whoever waits for an answer. */
export function isJobTask({ kind }: MediaTask): boolean {
  return ['transcode', 'ladder', 'cut', 'clip', 'montage'].includes(kind)
}

type UploadTask = PrepareTask | TranscodeTask | LadderTask | CutTask

/** Whether the source of a task may be what was uploaded; all others read what was made of it. */
export function readsUpload(task: MediaTask): task is UploadTask {
  return ['prepare', 'transcode', 'ladder', 'cut'].includes(task.kind)
}

/** Where a task has a copy of its source while it works, if that one is of a container without an index. */
export function indexedCopyPath(task: UploadTask): string {
  const folder = task.kind === 'transcode' ? dirname(task.outputPath) : task.outputFolder
  return join(folder, 'indexed.mkv')
}
