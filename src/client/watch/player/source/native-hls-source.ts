import { siteRead } from '#client/platform/connection.ts'
import { parseMasterPlaylist, type Variant } from './master-playlist.ts'
import { renditionOf, type Source, type SourceInput } from './source.ts'

/** Sound tracks of native HLS. */
type WithSoundTracks = { audioTracks?: ArrayLike<{ enabled: boolean }> & EventTarget }

/**
 * Safari's HLS saves battery and supports AirPlay. A fixed height uses that rendition's playlist.
 */
export function openNativeHlsSource(input: SourceInput): Source {
  const { video, url, listener } = input
  const listeners = new AbortController()
  const { signal } = listeners
  let variants: Variant[] = []
  let current = url
  const load = (seconds: number) => {
    const isPlaying = !video.paused
    video.src = current
    if (seconds > 0) video.currentTime = seconds
    if (isPlaying) void video.play().catch(() => undefined)
  }
  const chooseQuality = (quality: number | 'auto') => {
    const rendition = quality === 'auto' ? undefined : variants[renditionOf(variants, quality)]
    const chosen = rendition?.url ?? url
    if (chosen === current) return
    current = chosen
    load(video.currentTime)
  }
  let { soundTrack } = input
  const playSoundTrack = () => {
    const tracks = Array.from((video as WithSoundTracks).audioTracks ?? [])
    if (tracks.length > 0 && !tracks[soundTrack]) {
      soundTrack = 0
      listener.onSoundFailed()
    }
    for (const [index, track] of tracks.entries()) track.enabled = index === soundTrack
  }
  const reportPlaying = () => {
    const lines = Math.min(video.videoWidth, video.videoHeight)
    const known = variants.find((variant) => variant.lines === lines)
    listener.onPlaying(known ?? (lines > 0 ? { lines, frameRate: null, bitRate: null } : null))
  }
  const readMaster = async () => {
    const answer = await siteRead(url, signal)
    if (!answer.ok) return
    variants = parseMasterPlaylist(await answer.text(), answer.url)
    listener.onQualities(variants)
    if (input.quality !== 'auto') chooseQuality(input.quality)
  }
  video.addEventListener('resize', reportPlaying, { signal })
  video.addEventListener('loadedmetadata', playSoundTrack, { signal })
  load(input.startSeconds)
  // The element reports errors itself.
  readMaster().catch(() => undefined)
  return {
    kind: 'native-hls',
    url,
    chooseQuality,
    chooseSoundTrack(next) {
      soundTrack = next
      playSoundTrack()
    },
    resume: () => load(video.currentTime),
    bandwidth: () => null,
    close: () => listeners.abort(),
  }
}
