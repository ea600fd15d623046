/** One piece of media work for the child process. Every path is absolute; output folders exist already. */
export type MediaTask = PrepareTask | TranscodeTask | ThumbnailTask

/**
 * Examines an uploaded video. When it plays as it is, it is remuxed with fast start into
 * `outputFolder/video.mp4`; a poster goes to `outputFolder/poster.jpg` in all cases.
 */
export type PrepareTask = { kind: 'prepare'; sourcePath: string; outputFolder: string }

/** File names are relative to the task's output folder; null where there is nothing to serve. */
export type PrepareResult = {
  probe: SourceProbe
  videoFile: string | null
  posterFile: string | null
}

export type SourceProbe = {
  container: 'mp4' | 'avi' | 'matroska'
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
  /** Browsers play the streams without encoding them again. */
  playsAsIs: boolean
}

/** Makes an H.264 and AAC MP4 of at most 1920x1080 (1080x1920 when upright) and 60 fps. */
export type TranscodeTask = { kind: 'transcode'; sourcePath: string; outputPath: string }

export type TranscodeResult = { durationSeconds: number; width: number; height: number }

/** Makes a JPEG that fits into `box` (1280x720 unless told) from an uploaded PNG or JPEG. */
export type ThumbnailTask = {
  kind: 'thumbnail'
  sourcePath: string
  outputPath: string
  /** Pixels. */
  box?: { width: number; height: number }
}

export type ThumbnailResult = { width: number; height: number }

export type MediaResult = PrepareResult | TranscodeResult | ThumbnailResult

export type MediaProgress = {
  /** 0 to 100, never falling within a task. */
  percent: number
}
