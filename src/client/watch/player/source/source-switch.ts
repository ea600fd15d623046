import { connection } from '#client/platform/connection.ts'
import { originOf } from '../core/play-range.ts'
import type { PlayerCore } from '../core/player-core.ts'
import { rememberedPlayer, rememberPlayer } from '../core/player-memory.ts'
import { startPlaying } from '../core/start-playing.ts'
import { canStream, choosableQualities } from './choosable.ts'
import { firstSource, SLOW_BANDWIDTH } from './choose-source.ts'
import { createGiveUpTimer } from './give-up-timer.ts'
import { holdPicture } from './held-picture.ts'
import type { HlsStream } from './hls-stream.ts'
import { openNativeHlsSource } from './native-hls-source.ts'
import { openProgressiveSource } from './progressive-source.ts'
import { createRecovery, probeFile } from './recovery.ts'
import {
  LostError,
  type Quality,
  type Source,
  type SourceKind,
  type SourceListener,
} from './source.ts'
import { INITIAL_STATE, nextState, type SourceAction, type SourceEvent } from './source-state.ts'
import { openStreamSource, prepareStream } from './stream-source.ts'
import { isStuck } from './stuck.ts'

/** The connection is checked after this time without progress. */
const STALL_MS = 2000
/** For the bit rate of the file. */
const UNKNOWN_MS = 1000

const OPEN_SOURCE = {
  hls: openStreamSource,
  'native-hls': openNativeHlsSource,
  progressive: openProgressiveSource,
}

type OpenOptions = {
  startSeconds: number
  prepared?: HlsStream | undefined
}

/**
 * Feeds a media element: with the stream if there is one and it plays here, else with the file. Events of the element and
 * the connection go through `nextState`, which decides what to do; this function does it.
 */
export function startSources(core: PlayerCore, video: HTMLVideoElement): () => void {
  const { store, options } = core
  core.hasStreamFailed = false
  const over = new AbortController()
  const { signal } = over
  const startSeconds = originOf(core) + store.get().time
  let stallTimer: ReturnType<typeof setTimeout> | undefined
  let unknownTimer: ReturnType<typeof setTimeout> | undefined
  let state = INITIAL_STATE

  const dispatch = (event: SourceEvent) => {
    const [next, action] = nextState(state, event)
    state = next
    actions[action]()
  }
  const urlOf = (kind: SourceKind) =>
    kind === 'progressive' ? options.videoUrl : (options.hlsUrl ?? options.videoUrl)
  const fail = () => {
    store.set({ hasFailed: true, isWaiting: false })
    core.onFailed?.()
  }
  const giveUpTimer = createGiveUpTimer({
    // There is no limit while the connection is lost.
    isWaiting: () => store.get().isWaiting && !connection.isLost(),
    onOver: fail,
  })
  const fallBack = () => {
    if (core.source?.kind === 'progressive' || !options.videoUrl) fail()
    else {
      core.hasStreamFailed = true
      if (store.get().soundTrack > 0) listener.onSoundFailed()
      open('progressive', { startSeconds: video.currentTime || startSeconds })
    }
  }
  const recovery = createRecovery({
    probe: () => probeFile(core.source?.url ?? options.videoUrl),
    onChange(isReconnecting) {
      if (isReconnecting) dispatch({ type: 'lost' })
      store.set({ isReconnecting })
    },
    onUp() {
      const now = performance.now()
      const loadedUntil = bufferedUntil(video)
      dispatch({ type: 'reachable', now, loadedUntil, isStuck: isStuck(video) })
    },
    onGone: fallBack,
  })
  const listener: SourceListener = {
    onQualities: (qualities) => store.set({ qualities }),
    onPlaying: (playing) => store.set({ playing: playing && knownQuality(core, playing) }),
    onTrouble(kind) {
      if (kind === 'broken') {
        fallBack()
        return
      }
      dispatch({ type: 'lost' })
      reconnect()
    },
    onSoundFailed() {
      store.set({ soundTrack: 0 })
      core.flash('none', 'This audio track could not be played')
    },
  }

  function open(kind: SourceKind, { startSeconds, prepared }: OpenOptions) {
    stopChoosing()
    const wantsPlay = core.source ? !video.paused : video.autoplay
    if (core.source) holdPicture(video, signal)
    closeSource()
    const { quality: remembered, bandwidth } = rememberedPlayer()
    const { soundTrack, quality: own } = store.get()
    const quality = options.partQuality === undefined ? remembered : own
    const input = { video, url: urlOf(kind), startSeconds, quality, soundTrack, prepared, listener }
    store.set({
      source: kind,
      quality,
      ...(kind === 'progressive' && { qualities: choosableQualities(core) }),
    })
    dispatch({ type: 'opened', kind })
    core.source = OPEN_SOURCE[kind]({ ...input, bandwidth })
    if (wantsPlay) void startPlaying(core, video)
  }
  function stopChoosing() {
    clearTimeout(unknownTimer)
    core.onQualities = undefined
  }
  function closeSource() {
    const bandwidth = core.source?.bandwidth()
    if (bandwidth) rememberPlayer({ bandwidth: Math.round(bandwidth) })
    core.source?.close()
    core.source = undefined
  }

  const skipError = () => {
    open(core.source?.kind ?? 'progressive', { startSeconds: video.currentTime + 0.5 })
  }
  const probeFailedSource = async (source: Source | undefined) => {
    const result = await probeFile(source?.url ?? options.videoUrl)
    if (signal.aborted) return
    if (result === 'down') reconnect()
    else fallBack()
  }
  const watch = () => {
    clearTimeout(stallTimer)
    // It waits for more of the upload. hls.js reports a lost connection.
    if (options.isArriving) return
    const { currentTime } = video
    stallTimer = setTimeout(() => {
      if (video.paused || !isStuck(video) || store.get().hasFailed) return
      // Playback has advanced, although the browser reports waiting.
      if (video.currentTime > currentTime) return
      dispatch({ type: 'stalled', canStream: canStream(core) })
    }, STALL_MS)
  }
  /** Changes to the stream, whose smaller renditions suit a slow connection, unless the connection is lost. */
  const leaveSlowFile = async () => {
    const result = await probeFile(options.videoUrl)
    if (signal.aborted || core.source?.kind !== 'progressive') return
    if (result !== 'up') {
      reconnect()
      return
    }
    rememberPlayer({ bandwidth: SLOW_BANDWIDTH })
    dispatch({ type: 'stream-wanted' })
  }
  /** The file plays on until the renditions are known. */
  const leaveFile = async () => {
    try {
      const { bandwidth } = rememberedPlayer()
      const prepared = await prepareStream({ url: urlOf('hls'), bandwidth })
      if (signal.aborted || core.source?.kind !== 'progressive') prepared.close()
      else open('hls', { startSeconds: video.currentTime, prepared })
    } catch (error) {
      if (!signal.aborted) missStream(error instanceof LostError)
    } finally {
      dispatch({ type: 'stream-settled' })
    }
  }
  /** Continues with the file, because the stream is unavailable. */
  const missStream = (isLost: boolean) => {
    if (!isLost) {
      core.hasStreamFailed = true
      store.set({ qualities: [] })
    }
    if (store.get().soundTrack > 0) listener.onSoundFailed()
    if (isStuck(video)) reconnect()
  }
  core.openQuality = (quality) => {
    if (core.source?.kind !== 'progressive') core.source?.chooseQuality(quality)
    else if (quality !== 'auto' && canStream(core)) dispatch({ type: 'stream-wanted' })
  }
  core.openSoundTrack = (soundTrack) => {
    if (core.source?.kind !== 'progressive') core.source?.chooseSoundTrack(soundTrack)
    else if (soundTrack > 0 && canStream(core)) dispatch({ type: 'stream-wanted' })
  }
  const reconnect = () => {
    // A video that never loaded, or has an error, fires no 'waiting'.
    const isSilent = video.error !== null || video.readyState === HTMLMediaElement.HAVE_NOTHING
    if (isSilent) store.set({ isWaiting: true })
    giveUpTimer.begin()
    recovery.begin()
  }
  const stopTimers = () => {
    clearTimeout(stallTimer)
    recovery.stop()
    giveUpTimer.end()
  }
  const actions: Record<SourceAction, () => void> = {
    none() {},
    watch,
    resume() {
      core.source?.resume()
      watch()
    },
    reconnect,
    'skip-error': skipError,
    probe: () => void probeFailedSource(core.source),
    'check-speed': () => void leaveSlowFile(),
    'prepare-stream': () => void leaveFile(),
    'fall-back': fallBack,
  }
  const onError = () => {
    if (video.error) dispatch({ type: 'failed', code: video.error.code })
  }
  video.addEventListener('error', onError, { signal })
  for (const type of ['waiting', 'stalled', 'seeking'])
    video.addEventListener(type, watch, { signal })
  video.addEventListener('playing', () => video.error || stopTimers(), { signal })
  const noteArrival = () => {
    dispatch({ type: 'data-arrived', now: performance.now() })
  }
  video.addEventListener('loadstart', noteArrival, { signal })
  const noteProgress = () => {
    noteArrival()
    giveUpTimer.renew()
  }
  video.addEventListener('progress', noteProgress, { signal })
  const unsubscribers = [
    store.subscribe(giveUpTimer.check),
    connection.subscribe(giveUpTimer.check),
    connection.onBack(() =>
      dispatch({ type: 'connection-back', isStuck: isStuck(video) && !video.paused }),
    ),
  ]

  const { clientWidth, clientHeight } = video
  const playerLines = Math.min(clientWidth, clientHeight) * devicePixelRatio
  const begin = ({ isLastTry = false } = {}) => {
    const hasHls = options.hlsUrl !== null
    const fileBitRate = core.surroundings.qualities[0]?.bitRate ?? null
    const { partQuality } = options
    const fileLines = options.isArriving ? null : options.lines
    const kind = firstSource({ hasHls, fileLines, playerLines, fileBitRate, partQuality }, video)
    if (kind === 'unknown' && !isLastTry) return
    // The viewer may have acted meanwhile.
    const seconds = video.currentTime || startSeconds
    video.autoplay ||= !video.paused
    if (kind !== 'progressive') unload(video)
    open(kind === 'unknown' ? 'hls' : kind, { startSeconds: seconds })
  }
  core.onQualities = begin
  unknownTimer = setTimeout(begin, UNKNOWN_MS, { isLastTry: true })
  // If `autoplay` stayed set, a source that is opened later would start playing.
  const onPause = () => {
    video.autoplay = false
  }
  video.addEventListener('pause', onPause, { signal })
  begin()
  return () => {
    over.abort()
    stopChoosing()
    for (const unsubscribe of unsubscribers) unsubscribe()
    stopTimers()
    closeSource()
  }
}

/** Of a file that loads early but is not played. */
function unload(video: HTMLVideoElement): void {
  if (!video.hasAttribute('src')) return
  video.removeAttribute('src')
  video.load()
}

/** End of the buffered range around the current time, in seconds. */
function bufferedUntil({ buffered, currentTime }: HTMLVideoElement): number {
  for (let index = 0; index < buffered.length; index++) {
    const end = buffered.end(index)
    if (buffered.start(index) <= currentTime && currentTime <= end) return end
  }
  return currentTime
}

/** A file does not say its frame rate; the rendition of its size does. */
function knownQuality({ store, surroundings }: PlayerCore, playing: Quality): Quality {
  const known = [...store.get().qualities, ...surroundings.qualities]
  return playing.frameRate
    ? playing
    : (known.find(({ lines }) => lines === playing.lines) ?? playing)
}
