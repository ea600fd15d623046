export type SourceKind = 'progressive' | 'hls' | 'native-hls'

/** One of the sizes a video comes in. */
export type Quality = {
  /** Pixels of the short side, which name it. */
  lines: number
  frameRate: number | null
  /** Bits per second. */
  bitRate: number | null
}

export type SourceListener = {
  onQualities: (qualities: readonly Quality[]) => void
  onPlaying: (quality: Quality | null) => void
  /** `lost`: nothing arrives any more. `broken`: this source will not play here. */
  onTrouble: (kind: 'lost' | 'broken') => void
  /** The chosen sound track does not play; the first one does. */
  onSoundFailed: () => void
}

/** Nothing arrives, which may change. */
export class LostError extends Error {}

export type SourceInput = {
  video: HTMLVideoElement
  url: string
  startSeconds: number
  /** The lines to begin with, or 'auto'. */
  quality: number | 'auto'
  /** 0 is the first. */
  soundTrack: number
  listener: SourceListener
}

/** The way a media element gets its bytes. */
export type Source = {
  kind: SourceKind
  url: string
  chooseQuality: (quality: number | 'auto') => void
  chooseSoundTrack: (index: number) => void
  /** Loads again where it stopped, once the connection is back. */
  resume: () => void
  /** Bits per second, where it is measured. */
  bandwidth: () => number | null
  close: () => void
}

/** The index of the one with so many lines, or the largest below it, or else the smallest. */
export function renditionOf(qualities: readonly Quality[], lines: number): number {
  const smallest = Math.min(...qualities.map((one) => one.lines))
  const wanted = Math.max(
    ...qualities.map((one) => one.lines).filter((one) => one <= lines),
    smallest,
  )
  return qualities.findIndex((one) => one.lines === wanted)
}

/** '1080p', '1080p60'. */
export function qualityName({ lines, frameRate }: Quality): string {
  const isFast = frameRate !== null && frameRate > 31
  return `${lines}p${isFast ? Math.round(frameRate) : ''}`
}
