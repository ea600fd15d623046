export type SourceKind = 'progressive' | 'hls' | 'native-hls'

/** One of the sizes a video comes in; `height` names it. Bits per second. */
export type Quality = { height: number; frameRate: number | null; bitRate: number | null }

export type AudioTrack = { id: number; label: string }

export type SourceListener = {
  onQualities: (qualities: readonly Quality[]) => void
  onPlaying: (quality: Quality | null) => void
  onAudioTracks: (tracks: readonly AudioTrack[], current: number) => void
  /** `lost`: nothing arrives any more. `broken`: this source will not play here. */
  onTrouble: (kind: 'lost' | 'broken') => void
}

export type SourceInput = {
  video: HTMLVideoElement
  url: string
  startSeconds: number
  /** The height to begin with, or 'auto'. */
  quality: number | 'auto'
  listener: SourceListener
}

/** The way a media element gets its bytes. */
export type Source = {
  kind: SourceKind
  url: string
  chooseQuality: (quality: number | 'auto') => void
  chooseAudioTrack: (id: number) => void
  /** Loads again where it stopped, once the connection is back. */
  resume: () => void
  /** Bits per second, where it is measured. */
  bandwidth: () => number | null
  close: () => void
}

/** '1080p', '1080p60'. */
export function qualityName({ height, frameRate }: Quality): string {
  const isFast = frameRate !== null && frameRate > 31
  return `${height}p${isFast ? Math.round(frameRate) : ''}`
}
