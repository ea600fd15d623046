import type Hls from 'hls.js'
import type { ErrorData, HlsConfig, Level } from 'hls.js'
import { loadHls } from './load-hls.ts'
import type { Quality, Source, SourceInput } from './source.ts'

/** Before the first play only this much is fetched; from then on half a minute ahead. */
const WAITING_BUFFER_SECONDS = 6
const PLAYING_BUFFER_SECONDS = 30
const KEPT_BEHIND_SECONDS = 60
const MEDIA_RECOVERIES = 2
/** Of a connection that was never measured: a middle rendition, which starts fast anywhere. */
const GUESSED_BANDWIDTH = 2_500_000

/** The renditions by hls.js, which is loaded here and nowhere else. */
export async function openHlsSource(
  input: SourceInput & { bandwidth: number | null; signal: AbortSignal },
): Promise<Source | undefined> {
  const { video, url, listener } = input
  const { default: HlsClass } = await loadHls()
  if (input.signal.aborted || !HlsClass.isSupported()) return undefined
  const hls = new HlsClass(configOf(input))
  const listeners = new AbortController()
  const { signal } = listeners
  let recoveries = 0

  hls.on(HlsClass.Events.MANIFEST_PARSED, (_, { levels }) => {
    listener.onQualities(levels.map(toQuality).sort((a, b) => b.lines - a.lines))
    if (input.quality !== 'auto') hls.loadLevel = levelOf(hls, input.quality)
    hls.startLoad(input.startSeconds > 0 ? input.startSeconds : -1)
  })
  hls.on(HlsClass.Events.LEVEL_SWITCHED, (_, { level }) => {
    const playing = hls.levels[level]
    listener.onPlaying(playing ? toQuality(playing) : null)
  })
  hls.on(HlsClass.Events.ERROR, (_, error) => {
    if (!error.fatal) return
    if (error.type === HlsClass.ErrorTypes.MEDIA_ERROR && recoveries < MEDIA_RECOVERIES) {
      recoveries += 1
      hls.recoverMediaError()
    } else {
      listener.onTrouble(isOfConnection(error) ? 'lost' : 'broken')
    }
  })
  const fillBuffer = () => {
    hls.config.maxBufferLength = PLAYING_BUFFER_SECONDS
    hls.config.maxMaxBufferLength = PLAYING_BUFFER_SECONDS
  }
  video.addEventListener('play', fillBuffer, { signal })
  if (!video.paused || video.autoplay) fillBuffer()
  hls.attachMedia(video)
  hls.loadSource(url)

  return {
    kind: 'hls',
    url,
    chooseQuality(quality) {
      if (quality === 'auto') hls.nextLevel = -1
      else hls.nextLevel = levelOf(hls, quality)
    },
    resume() {
      if (hls.levels.length === 0) hls.loadSource(url)
      else hls.startLoad(video.currentTime)
    },
    bandwidth: () => (hls.bandwidthEstimate > 0 ? hls.bandwidthEstimate : null),
    close() {
      listeners.abort()
      hls.destroy()
    },
  }
}

function configOf(input: SourceInput & { bandwidth: number | null }): Partial<HlsConfig> {
  const once = { maxNumRetry: 2, retryDelayMs: 500, maxRetryDelayMs: 2000 }
  const policy = {
    default: {
      maxTimeToFirstByteMs: 8000,
      maxLoadTimeMs: 60_000,
      timeoutRetry: once,
      errorRetry: once,
    },
  }
  return {
    // Our segments are MP4 already: there is nothing that a worker would take off the page.
    enableWorker: false,
    autoStartLoad: false,
    startLevel: -1,
    testBandwidth: false,
    abrEwmaDefaultEstimate: input.bandwidth ?? GUESSED_BANDWIDTH,
    abrEwmaDefaultEstimateMax: Number.POSITIVE_INFINITY,
    capLevelToPlayerSize: true,
    startFragPrefetch: true,
    maxBufferLength: WAITING_BUFFER_SECONDS,
    maxMaxBufferLength: WAITING_BUFFER_SECONDS,
    backBufferLength: KEPT_BEHIND_SECONDS,
    manifestLoadPolicy: policy,
    playlistLoadPolicy: policy,
    fragLoadPolicy: policy,
  }
}

function toQuality({ width, height, frameRate, bitrate }: Level): Quality {
  return { lines: Math.min(width, height), frameRate: frameRate || null, bitRate: bitrate || null }
}

/** The rendition with so many lines, or the largest below it. */
function levelOf(hls: Hls, wanted: number): number {
  const fitting = hls.levels
    .map(({ width, height }, index) => ({ lines: Math.min(width, height), index }))
    .filter(({ lines }) => lines <= wanted)
    .sort((a, b) => b.lines - a.lines)
  return fitting[0]?.index ?? 0
}

/** A refusal (404, 403) will not change by waiting. */
function isOfConnection({ type, response }: ErrorData): boolean {
  const code = response?.code ?? 0
  return type === 'networkError' && (code === 0 || code >= 500 || code === 429)
}
