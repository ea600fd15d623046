import Hls, { type ErrorData, ErrorTypes, Events, type LoadPolicy } from 'hls.js'
import workerPath from 'hls.js/dist/hls.worker.js?url'
import { LostError, type Quality, renditionOf, type SourceListener } from './source.ts'

/** Buffers less before the first play. */
const WAITING_BUFFER_SECONDS = 6
const PLAYING_BUFFER_SECONDS = 30
const BACK_BUFFER_SECONDS = 60
/** Unmeasured connections start with a middle rendition. */
const GUESSED_BANDWIDTH = 2_500_000
const MEDIA_RECOVERIES = 2
/** After these retries the player decides. */
const LOAD_POLICY: LoadPolicy = {
  default: {
    maxTimeToFirstByteMs: 8000,
    maxLoadTimeMs: 60_000,
    timeoutRetry: null,
    errorRetry: {
      ...{ maxNumRetry: 2, retryDelayMs: 500, maxRetryDelayMs: 1000 },
      // hls.js treats a cut connection as a refusal.
      shouldRetry: (config, count, _, response, isUsual) =>
        isUsual || (response?.code === 0 && count < (config?.maxNumRetry ?? 0)),
    },
  },
}

// Preloads it, because hls.js requests it with the first bytes only.
void fetch(workerPath).catch(() => undefined)

type AttachInput = {
  video: HTMLVideoElement
  startSeconds: number
  quality: number | 'auto'
  soundTrack: number
  listener: SourceListener
}

export type HlsStream = Awaited<ReturnType<typeof openHlsStream>>

/**
 * Reads a master playlist.
 * @param bandwidth bits per second
 * @throws LostError on connection loss; other errors when unplayable
 */
export async function openHlsStream({ url, bandwidth }: { url: string; bandwidth: number | null }) {
  const hls = new Hls({
    workerPath,
    autoStartLoad: false,
    // Skips the smallest rendition, which would be visible.
    testBandwidth: false,
    abrEwmaDefaultEstimate: bandwidth ?? GUESSED_BANDWIDTH,
    capLevelToPlayerSize: true,
    preserveManualLevelOnError: true,
    backBufferLength: BACK_BUFFER_SECONDS,
    ...bufferAhead(WAITING_BUFFER_SECONDS),
    manifestLoadPolicy: LOAD_POLICY,
    playlistLoadPolicy: LOAD_POLICY,
    fragLoadPolicy: LOAD_POLICY,
    // Captions are drawn by the page.
    renderTextTracksNatively: false,
  })
  await readMaster(hls, url)
  const qualities: Quality[] = hls.levels.map(({ width, height, frameRate, bitrate }) => ({
    lines: Math.min(width, height),
    frameRate: frameRate || null,
    bitRate: bitrate,
  }))
  const over = new AbortController()
  let isMeasured = false
  hls.on(Events.FRAG_LOADED, () => {
    isMeasured = true
  })
  let attached: ReturnType<typeof playAttached> | undefined
  return {
    /** Largest first. */
    qualities: qualities.toReversed(),

    attach(input: AttachInput): void {
      attached = playAttached({ hls, qualities, signal: over.signal }, input)
    },
    chooseQuality: (quality: number | 'auto') => attached?.chooseQuality(quality),
    chooseSoundTrack: (index: number) => attached?.chooseSoundTrack(index),
    /** After a stop. */
    resume: () => hls.startLoad(hls.media?.currentTime),
    /** Bits per second, if measured. */
    bandwidth: () => (isMeasured ? hls.bandwidthEstimate : null),
    close(): void {
      over.abort()
      hls.destroy()
    },
  }
}

type Playing = { hls: Hls; qualities: readonly Quality[]; signal: AbortSignal }

function playAttached({ hls, qualities, signal }: Playing, input: AttachInput) {
  const { video, listener } = input
  let { quality, soundTrack } = input
  let recoveries = 0
  /** First failure of a further track; may be a lost connection. */
  let hasSoundFailed = false
  /** Data of the previous quality remains: up to this time, or anywhere. */
  let staleUntil: number | undefined
  let isRedrawn = false

  const levelOf = () => (quality === 'auto' ? -1 : renditionOf(qualities, quality))

  hls.on(Events.LEVEL_SWITCHED, (_, { level }) => listener.onPlaying(qualities[level] ?? null))
  hls.on(Events.FRAG_CHANGED, (_, { frag }) => {
    const isFirst = staleUntil === Number.POSITIVE_INFINITY && frag.level === levelOf()
    if (isFirst) staleUntil = frag.start
  })
  hls.on(Events.FRAG_BUFFERED, (_, { frag }) => {
    if (frag.type === 'audio') hasSoundFailed = false
    else if (isRedrawn && frag.level === levelOf()) redraw()
  })
  hls.on(Events.AUDIO_TRACKS_UPDATED, () => playSoundTrack())
  hls.on(Events.ERROR, (_, data) => {
    if (data.fatal) fail(data)
  })

  function fail(data: ErrorData): void {
    const isSound = data.frag?.type === 'audio' || data.context?.type === 'audioTrack'
    const isSoundError = isSound || data.sourceBufferName === 'audio'
    if (isSoundError && soundTrack > 0 && (!isLost(data) || hasSoundFailed)) {
      failSoundTrack()
      hls.startLoad(video.currentTime)
      return
    }
    hasSoundFailed ||= isSoundError
    if (data.type === ErrorTypes.NETWORK_ERROR) {
      listener.onTrouble(isLost(data) ? 'lost' : 'broken')
      return
    }
    recoveries += 1
    const canRecover = data.type === ErrorTypes.MEDIA_ERROR && recoveries <= MEDIA_RECOVERIES
    if (canRecover) hls.recoverMediaError()
    else listener.onTrouble('broken')
  }

  function failSoundTrack(): void {
    chooseSoundTrack(0)
    listener.onSoundFailed()
  }

  function playSoundTrack(): void {
    if (hls.audioTracks.length === 0 || hls.audioTrack === soundTrack) return
    if (hls.audioTracks[soundTrack]) hls.audioTrack = soundTrack
    else failSoundTrack()
  }

  function chooseSoundTrack(index: number): void {
    soundTrack = index
    hasSoundFailed = false
    playSoundTrack()
  }

  /** A paused player keeps the decoded picture unless it seeks. */
  function redraw(): void {
    const { buffered, currentTime } = video
    for (let index = 0; index < buffered.length; index++) {
      const isHere = buffered.start(index) <= currentTime && currentTime < buffered.end(index)
      if (!isHere) continue
      isRedrawn = false
      video.currentTime = currentTime
    }
  }

  /** Drops the buffer and loads the chosen quality. */
  function loadAgain(): void {
    staleUntil = undefined
    isRedrawn = true
    hls.currentLevel = levelOf()
  }

  function chooseQuality(next: number | 'auto'): void {
    quality = next
    if (next === 'auto') {
      staleUntil = undefined
      hls.nextLevel = -1
    } else if (video.paused) loadAgain()
    else {
      staleUntil = Number.POSITIVE_INFINITY
      hls.nextLevel = levelOf()
    }
  }

  const seek = () => {
    if (staleUntil !== undefined && video.currentTime < staleUntil) loadAgain()
  }
  const fill = () => Object.assign(hls.config, bufferAhead(PLAYING_BUFFER_SECONDS))
  video.addEventListener('seeking', seek, { signal })
  video.addEventListener('play', fill, { signal })
  const isPlaying = !video.paused
  if (isPlaying || video.autoplay) fill()
  hls.startLevel = levelOf()
  if (quality !== 'auto') hls.loadLevel = levelOf()
  hls.attachMedia(video)
  // Keeps the clock from going to zero.
  if (input.startSeconds > 0) video.currentTime = input.startSeconds
  hls.startLoad(input.startSeconds)
  if (isPlaying) void video.play().catch(() => undefined)
  return { chooseQuality, chooseSoundTrack }
}

/** hls.js takes the larger of a duration and a byte limit. */
function bufferAhead(seconds: number) {
  return { maxBufferLength: seconds, maxMaxBufferLength: seconds }
}

/** Temporary, unlike a refusal. */
function isLost({ type, response }: ErrorData): boolean {
  const code = response?.code ?? 0
  return type === ErrorTypes.NETWORK_ERROR && (code < 400 || code >= 500 || code === 429)
}

function readMaster(hls: Hls, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (_: string, data: ErrorData) => {
      if (!data.fatal) return
      hls.destroy()
      reject(isLost(data) ? new LostError() : data.error)
    }
    hls.on(Events.ERROR, fail)
    hls.once(Events.MANIFEST_PARSED, () => {
      hls.off(Events.ERROR, fail)
      resolve()
    })
    hls.loadSource(url)
  })
}
