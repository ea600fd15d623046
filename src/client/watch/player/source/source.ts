export type SourceKind = 'progressive' | 'hls' | 'native-hls'

export type Quality = {
  /** Pixels of the short side. */
  lines: number
  frameRate: number | null
  /** Bits per second. */
  bitRate: number | null
}

export type SourceListener = {
  onQualities: (qualities: readonly Quality[]) => void
  onPlaying: (quality: Quality | null) => void
  /** `lost`: nothing arrives. `broken`: unplayable here. */
  onTrouble: (kind: 'lost' | 'broken') => void
  /** Falls back to the first track. */
  onSoundFailed: () => void
}

/** Nothing arrives, perhaps temporarily. */
export class LostError extends Error {}

export type SourceInput = {
  video: HTMLVideoElement
  url: string
  startSeconds: number
  /** Lines, or 'auto'. */
  quality: number | 'auto'
  /** From 0. */
  soundTrack: number
  listener: SourceListener
}

export type Source = {
  kind: SourceKind
  url: string
  chooseQuality: (quality: number | 'auto') => void
  chooseSoundTrack: (index: number) => void
  /** After a reconnect. */
  resume: () => void
  /** Bits per second, if measured. */
  bandwidth: () => number | null
  close: () => void
}

/** Index of that height, else the next smaller, else the smallest. */
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
