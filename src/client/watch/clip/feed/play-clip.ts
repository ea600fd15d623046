import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { keepToRange } from '../../player/core/play-range.ts'
import { rememberedPlayer } from '../../player/core/player-memory.ts'
import { firstSource } from '../../player/source/choose-source.ts'
import { openNativeHlsSource } from '../../player/source/native-hls-source.ts'
import { openProgressiveSource } from '../../player/source/progressive-source.ts'
import { linesOf } from '../../player/source/qualities.ts'
import type { Source, SourceInput } from '../../player/source/source.ts'
import { openStreamSource } from '../../player/source/stream-source.ts'

/**
 * The unit is bits per second. The API does not give the bit rate of a clip's file, so a high one
 * is assumed.
 */
const FILE_BIT_RATE = 25_000_000

type Played = Pick<Clip, 'startSeconds' | 'endSeconds' | 'video'>

/**
 * Keeps to the clip's range.
 * @param onBroken unplayable, or connection lost
 * @returns releases everything
 */
export function loadClip(video: HTMLVideoElement, clip: Played, onBroken: () => void): () => void {
  const { hlsUrl, videoUrl } = clip.video
  const range = { start: clip.startSeconds, end: clip.endSeconds }
  const listeners = new AbortController()
  const { quality, bandwidth } = rememberedPlayer()
  let source: Source | undefined
  let isWhole = false

  const input = (url: string): SourceInput => ({
    ...{ video, url, startSeconds: range.start, quality, soundTrack: 0 },
    listener: {
      onQualities: () => {},
      onPlaying: () => {},
      onSoundFailed: () => {},
      onTrouble: fail,
    },
  })
  /** Falls back to the file. */
  function fail(): void {
    source?.close()
    if (isWhole || videoUrl === null) onBroken()
    else playFile(videoUrl)
  }
  function playFile(url: string): void {
    const wasPlaying = !video.paused
    isWhole = true
    source = openProgressiveSource(input(url))
    if (wasPlaying) void video.play().catch(() => undefined)
  }

  const stopKeeping = keepToRange(range, video)
  video.addEventListener('error', fail, { signal: listeners.signal })
  const kind = firstSource(
    {
      hasHls: hlsUrl !== null,
      fileLines: linesOf(clip.video),
      playerLines: Math.min(video.clientWidth, video.clientHeight) * devicePixelRatio,
      fileBitRate: FILE_BIT_RATE,
    },
    video,
  )
  if (kind === 'progressive' || hlsUrl === null) {
    if (videoUrl === null) onBroken()
    else playFile(videoUrl)
  } else if (kind === 'native-hls') source = openNativeHlsSource(input(hlsUrl))
  else source = openStreamSource({ ...input(hlsUrl), bandwidth })
  return () => {
    listeners.abort()
    stopKeeping()
    source?.close()
    video.removeAttribute('src')
    video.load()
  }
}
