import { connection } from '#client/platform/connection.ts'
import { originOf } from '../core/play-range.ts'
import type { PlayerCore } from '../core/player-core.ts'
import { rememberedPlayer, rememberPlayer } from '../core/player-memory.ts'
import { startPlaying } from '../core/start-playing.ts'
import { canStream, choosableQualities } from './choosable.ts'
import { firstSource } from './choose-source.ts'
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
import { openStreamSource, prepareStream } from './stream-source.ts'
import { isStuck } from './stuck.ts'

/** Without any progress for this long the connection is looked at. */
const STALL_MS = 2000
/** Trouble that comes back this soon after a recovery does not come from the connection. */
const RELAPSE_MS = 4000
const RELAPSES_MAX = 3
/** A slow file brings nothing to see for a while; asking for it again would begin that while again. */
const SILENCE_MS = 10_000
/** So little was seen of a connection on which a file stalled. */
const STALLED_BANDWIDTH = 4_000_000
const MEDIA_ERR_NETWORK = 2
const MEDIA_ERR_DECODE = 3

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
 * Gives the element its bytes: the renditions where there are some, else the file; the file as well
 * when the renditions fail. Lost connections are waited for, at the same place.
 */
export function startSources(core: PlayerCore, video: HTMLVideoElement): () => void {
  const { store, options } = core
  core.hasStreamFailed = false
  const over = new AbortController()
  const { signal } = over
  const startSeconds = originOf(core) + store.get().time
  let stallTimer: ReturnType<typeof setTimeout> | undefined
  let recoveredAt = Number.NEGATIVE_INFINITY
  let recoveredUntil = Number.NEGATIVE_INFINITY
  let arrivedAt = Number.NEGATIVE_INFINITY
  /** Whether the connection is looked at for no more than a stall. */
  let isOnlyStalled = false
  let relapses = 0
  let hasSkippedError = false
  let isLeavingFile = false

  const urlOf = (kind: SourceKind) =>
    kind === 'progressive' ? options.videoUrl : (options.hlsUrl ?? options.videoUrl)
  const fail = () => {
    store.set({ hasFailed: true, isWaiting: false })
    core.onFailed?.()
  }
  const giveUpTimer = createGiveUpTimer({
    // A lost connection is waited for without an end.
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
      if (isReconnecting) isOnlyStalled = false
      store.set({ isReconnecting })
    },
    onUp() {
      const isFile = core.source?.kind === 'progressive'
      if (isFile && isOnlyStalled && performance.now() - arrivedAt < SILENCE_MS) {
        watch()
        return
      }
      const until = loadedUntil(video)
      const soonMs = isFile ? SILENCE_MS + RELAPSE_MS : RELAPSE_MS
      const isSoon = performance.now() - recoveredAt < soonMs
      relapses = isSoon && until <= recoveredUntil ? relapses + 1 : 0
      recoveredAt = performance.now()
      recoveredUntil = until
      if (relapses >= RELAPSES_MAX) fallBack()
      else if (isStuck(video) || core.source?.kind === 'hls') core.source?.resume()
    },
    onGone: fallBack,
  })
  const listener: SourceListener = {
    onQualities: (qualities) => store.set({ qualities }),
    onPlaying: (playing) => store.set({ playing: playing && knownQuality(core, playing) }),
    onTrouble: (kind) => (kind === 'lost' ? reconnect() : fallBack()),
    onSoundFailed() {
      store.set({ soundTrack: 0 })
      core.flash('none', 'This audio track could not be played')
    },
  }

  function open(kind: SourceKind, { startSeconds, prepared }: OpenOptions) {
    const wantsPlay = core.source ? !video.paused : video.autoplay
    if (core.source) holdPicture(video, signal)
    closeSource()
    const { quality, bandwidth } = rememberedPlayer()
    const { soundTrack } = store.get()
    const input = { video, url: urlOf(kind), startSeconds, quality, soundTrack, prepared, listener }
    store.set({
      ...{ source: kind, quality },
      ...(kind === 'progressive' && { qualities: choosableQualities(core) }),
    })
    core.source = OPEN_SOURCE[kind]({ ...input, bandwidth })
    if (wantsPlay) void startPlaying(core, video)
  }
  function closeSource() {
    const bandwidth = core.source?.bandwidth()
    if (bandwidth) rememberPlayer({ bandwidth: Math.round(bandwidth) })
    core.source?.close()
    core.source = undefined
  }

  const onError = () => {
    const code = video.error?.code
    // The loader reports its own.
    if (code === undefined || core.source?.kind === 'hls') return
    isOnlyStalled = false
    if (code === MEDIA_ERR_NETWORK) reconnect()
    else if (code === MEDIA_ERR_DECODE && !hasSkippedError) skipError()
    else if (code === MEDIA_ERR_DECODE) fallBack()
    else void reportMissingMedia(core.source)
  }
  const skipError = () => {
    hasSkippedError = true
    open(core.source?.kind ?? 'progressive', { startSeconds: video.currentTime + 0.5 })
  }
  /** 'Not supported' is also what a server that is away looks like. */
  const reportMissingMedia = async (source: Source | undefined) => {
    const result = await probeFile(source?.url ?? options.videoUrl)
    if (signal.aborted) return
    if (result === 'down') reconnect()
    else fallBack()
  }
  const watch = () => {
    clearTimeout(stallTimer)
    const { currentTime } = video
    stallTimer = setTimeout(() => {
      if (video.paused || !isStuck(video) || store.get().hasFailed) return
      // A clock that goes on is no stall, whatever else the browser says.
      if (video.currentTime > currentTime) return
      if (core.source?.kind === 'progressive' && canStream(core)) void leaveSlowFile()
      else {
        isOnlyStalled = true
        reconnect()
      }
    }, STALL_MS)
  }
  /** The file comes too slowly, or the connection is gone: the first is helped by smaller renditions. */
  const leaveSlowFile = async () => {
    const result = await probeFile(options.videoUrl)
    if (signal.aborted || core.source?.kind !== 'progressive') return
    if (result !== 'up') {
      reconnect()
      return
    }
    rememberPlayer({ bandwidth: STALLED_BANDWIDTH })
    await leaveFile()
  }
  /** The file plays on until the renditions are known. */
  const leaveFile = async () => {
    if (isLeavingFile) return
    isLeavingFile = true
    try {
      const { bandwidth } = rememberedPlayer()
      const prepared = await prepareStream({ url: urlOf('hls'), bandwidth })
      if (signal.aborted || core.source?.kind !== 'progressive') prepared.close()
      else open('hls', { startSeconds: video.currentTime, prepared })
    } catch (error) {
      if (!signal.aborted) missStream(error instanceof LostError)
    } finally {
      isLeavingFile = false
    }
  }
  /** The file goes on, if it can. */
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
    else if (quality !== 'auto' && canStream(core)) void leaveFile()
  }
  core.openSoundTrack = (soundTrack) => {
    if (core.source?.kind !== 'progressive') core.source?.chooseSoundTrack(soundTrack)
    else if (soundTrack > 0 && canStream(core)) void leaveFile()
  }
  const reconnect = () => {
    // A video that never loaded, or has an error, fires no 'waiting'.
    const isSilent = video.error !== null || video.readyState === HTMLMediaElement.HAVE_NOTHING
    if (isSilent) store.set({ isWaiting: true })
    giveUpTimer.begin()
    recovery.begin()
  }
  const rest = () => {
    clearTimeout(stallTimer)
    recovery.stop()
    giveUpTimer.end()
  }
  video.addEventListener('error', onError, { signal })
  for (const type of ['waiting', 'stalled', 'seeking'])
    video.addEventListener(type, watch, { signal })
  video.addEventListener('playing', () => video.error || rest(), { signal })
  const noteArrival = () => {
    arrivedAt = performance.now()
  }
  video.addEventListener('loadstart', noteArrival, { signal })
  const noteProgress = () => {
    noteArrival()
    giveUpTimer.renew()
  }
  video.addEventListener('progress', noteProgress, { signal })
  const endings = [
    store.subscribe(giveUpTimer.look),
    connection.subscribe(giveUpTimer.look),
    connection.onBack(() => {
      // What was under way when the connection was lost does not arrive any more.
      isOnlyStalled = false
      if (isStuck(video) && !video.paused) reconnect()
    }),
  ]

  const { clientWidth, clientHeight } = video
  const playerLines = Math.min(clientWidth, clientHeight) * devicePixelRatio
  const choice = { hasHls: options.hlsUrl !== null, fileLines: options.lines, playerLines }
  void open(firstSource(choice, video), { startSeconds })
  return () => {
    over.abort()
    for (const end of endings) end()
    rest()
    closeSource()
  }
}

/** Until when everything is there, in seconds, from the current time on. */
function loadedUntil({ buffered, currentTime }: HTMLVideoElement): number {
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
