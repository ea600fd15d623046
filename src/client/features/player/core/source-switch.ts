import { openHlsSource } from '../source/hls-source.ts'
import { picksHlsLibrary, playsHlsItself } from '../source/load-hls.ts'
import { openNativeHlsSource } from '../source/native-hls-source.ts'
import { openProgressiveSource } from '../source/progressive-source.ts'
import type { Source, SourceKind, SourceListener } from '../source/source.ts'
import type { PlayerCore } from './player-core.ts'
import { rememberedPlayer, rememberPlayer } from './player-memory.ts'
import { createRecovery, probeFile } from './recovery.ts'

/** Without any progress for this long the connection is looked at. */
const STALL_MS = 2000
/** Trouble that comes back this soon after a recovery does not come from the connection. */
const RELAPSE_MS = 4000
const RELAPSES_MAX = 3
const MEDIA_ERR_NETWORK = 2
const MEDIA_ERR_DECODE = 3

/**
 * Gives the element its bytes: the renditions where there are some, else the file; the file as well
 * when the renditions fail. Lost connections are waited for, at the same place.
 */
export function startSources(core: PlayerCore, video: HTMLVideoElement): () => void {
  const { store, options } = core
  const over = new AbortController()
  const { signal } = over
  let stallTimer: ReturnType<typeof setTimeout> | undefined
  let recoveredAt = Number.NEGATIVE_INFINITY
  let relapses = 0
  let hasSkippedError = false

  const urlOf = (kind: SourceKind) =>
    kind === 'progressive' ? options.videoUrl : (options.hlsUrl ?? options.videoUrl)
  const fail = () => {
    store.set({ hasFailed: true, isWaiting: false })
    core.onFailed?.()
  }
  const fallBack = () => {
    if (core.source?.kind === 'progressive' || !options.videoUrl) fail()
    else void open('progressive', { startSeconds: video.currentTime || options.startSeconds })
  }
  const recovery = createRecovery({
    probe: () => probeFile(core.source?.url ?? options.videoUrl),
    onChange: (isReconnecting) => store.set({ isReconnecting }),
    onUp() {
      relapses = performance.now() - recoveredAt < RELAPSE_MS ? relapses + 1 : 0
      recoveredAt = performance.now()
      if (relapses >= RELAPSES_MAX) fallBack()
      else if (video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) core.source?.resume()
    },
    onGone: fallBack,
  })
  const listener: SourceListener = {
    onQualities: (qualities) => store.set({ qualities }),
    onPlaying: (playing) => store.set({ playing }),
    onAudioTracks: (audioTracks, audioTrack) => store.set({ audioTracks, audioTrack }),
    onTrouble: (kind) => (kind === 'lost' ? recovery.begin() : fallBack()),
  }

  async function open(kind: SourceKind, { startSeconds }: { startSeconds: number }) {
    const wantsPlay = core.source ? !video.paused : false
    closeSource()
    const { quality, bandwidth } = rememberedPlayer()
    const input = { video, url: urlOf(kind), startSeconds, quality, listener }
    store.set({ source: kind, quality: kind === 'progressive' ? 'auto' : quality })
    const opened = await openKind(kind, { ...input, bandwidth, signal }).catch(() => undefined)
    if (signal.aborted) opened?.close()
    else if (!opened) fallBackFrom(kind, startSeconds)
    else {
      core.source = opened
      if (wantsPlay) void video.play().catch(() => undefined)
    }
  }
  const fallBackFrom = (kind: SourceKind, startSeconds: number) => {
    if (kind === 'progressive') fail()
    else void open('progressive', { startSeconds })
  }
  function closeSource() {
    const bandwidth = core.source?.bandwidth()
    if (bandwidth) rememberPlayer({ bandwidth: Math.round(bandwidth) })
    core.source?.close()
    core.source = undefined
  }

  const onError = () => {
    const code = video.error?.code
    // hls.js tells about its own.
    if (code === undefined || core.source?.kind === 'hls') return
    if (code === MEDIA_ERR_NETWORK) recovery.begin()
    else if (code === MEDIA_ERR_DECODE && !hasSkippedError) skipError()
    else if (code === MEDIA_ERR_DECODE) fallBack()
    else void tellMissingFrom(core.source)
  }
  const skipError = () => {
    hasSkippedError = true
    void open(core.source?.kind ?? 'progressive', { startSeconds: video.currentTime + 0.5 })
  }
  /** 'Not supported' is also what a server that is away looks like. */
  const tellMissingFrom = async (source: Source | undefined) => {
    const result = await probeFile(source?.url ?? options.videoUrl)
    if (signal.aborted) return
    if (result === 'down') recovery.begin()
    else fallBack()
  }
  const watch = () => {
    clearTimeout(stallTimer)
    stallTimer = setTimeout(() => {
      const isStuck = !video.paused && video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA
      if (isStuck && !store.get().hasFailed) recovery.begin()
    }, STALL_MS)
  }
  const rest = () => {
    clearTimeout(stallTimer)
    recovery.stop()
  }
  video.addEventListener('error', onError, { signal })
  for (const type of ['waiting', 'stalled']) video.addEventListener(type, watch, { signal })
  video.addEventListener('playing', rest, { signal })

  void open(firstKind(core, video), { startSeconds: options.startSeconds })
  return () => {
    over.abort()
    rest()
    closeSource()
  }
}

function firstKind({ options }: PlayerCore, video: HTMLVideoElement): SourceKind {
  if (!options.hlsUrl) return 'progressive'
  if (picksHlsLibrary()) return 'hls'
  return playsHlsItself(video) ? 'native-hls' : 'progressive'
}

type OpenInput = Parameters<typeof openHlsSource>[0]

async function openKind(kind: SourceKind, input: OpenInput): Promise<Source | undefined> {
  if (kind === 'hls') return openHlsSource(input)
  if (kind === 'native-hls') return openNativeHlsSource(input)
  return openProgressiveSource(input)
}
