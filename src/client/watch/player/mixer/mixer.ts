import { createStore, type Store } from '#client/platform/store.ts'
import { isSameMix, MIX_RATE, plainMix, type SoundMix, type TrackMix } from '#shared/sound-mix.ts'
import type { PlayerCore } from '../core/player-core.ts'
import { mixableTracks, numbersOf } from './can-mix.ts'
import { type MixEngine, startMixEngine } from './mix-engine.ts'
import { rememberedMix, rememberMix } from './mix-memory.ts'
import { CannotMixError, type OpenedTracks, openTracks } from './track-sound.ts'

/** Shorter waits show no spinner. */
const WAITING_MS = 250

/**
 * `everyone`: the sound of the video; `own`: the viewer's mix; `asleep`: own, once there is a gesture; `speed`: own, at
 * normal speed; `unsupported` and `failed`: own, but it cannot be played.
 */
type MixerStatus = 'everyone' | 'loading' | 'own' | 'asleep' | 'speed' | 'unsupported' | 'failed'

export type MixerState = {
  mix: SoundMix
  /** Numbers of the only tracks that are heard; empty for all. */
  solo: readonly number[]
  status: MixerStatus
}

export type Mixer = {
  store: Store<MixerState>
  everyone: () => SoundMix
  changeTrack: (number: number, change: Partial<TrackMix>) => void
  setDucking: (ducks: boolean) => void
  toggleSolo: (number: number) => void
  reset: () => void
}

/** Replaces the sound of the player's element while the viewer's mix differs from that of everyone. */
export function createMixer(core: PlayerCore, onClosed: () => void): Mixer {
  const { options } = core
  const everyone = () => everyonesMix(core)
  const remembered = rememberedMix(options.videoId, numbersOf(core))
  const store = createStore<MixerState>({
    mix: remembered ?? everyone(),
    solo: [],
    status: 'everyone',
  })
  let engine: MixEngine | undefined
  let opened: OpenedTracks | undefined
  let waitTimer: ReturnType<typeof setTimeout> | undefined
  let isBroken = false
  /** Changes with every start and stop. */
  let turn = 0

  const heardMix = (): SoundMix => {
    const { mix, solo } = store.get()
    if (solo.length === 0) return mix
    const tracks = mix.tracks.map((one) => ({ ...one, isMuted: !solo.includes(one.number) }))
    return { ...mix, tracks }
  }
  const isOwn = () => !isSameMix(heardMix(), everyone())
  const isNormalSpeed = () => core.store.get().rate === 1 && !core.store.get().isHurrying

  function apply(): void {
    if (!isOwn()) stop('everyone')
    else if (isBroken) return
    else if (!isNormalSpeed()) stop('speed')
    else if (engine) engine.setMix(heardMix())
    else if (store.get().status !== 'loading') void start()
  }

  function stop(status: MixerStatus): void {
    turn += 1
    engine?.close()
    engine = undefined
    opened?.close()
    opened = undefined
    core.element.playbackRate = core.store.get().rate
    store.set({ status })
    core.applyVolume?.()
  }

  function fail(error: unknown): void {
    isBroken = true
    stop(error instanceof CannotMixError ? 'unsupported' : 'failed')
    core.flash('none', 'Your mix cannot be played. You hear that of everyone.')
  }

  async function start(): Promise<void> {
    turn += 1
    const own = turn
    store.set({ status: 'loading' })
    try {
      const context = await openContext()
      if (own !== turn) return void context?.close()
      if (!context) {
        store.set({ status: 'asleep' })
        return
      }
      const count = core.surroundings.soundTracks.filter(({ number }) => number > 0).length
      const tracks = await openTracks(options.hlsUrl ?? '', count)
      if (own !== turn) {
        tracks.close()
        return void context.close()
      }
      opened = tracks
      engine = startMixEngine({
        ...{ video: core.element, context, mix: heardMix(), volume: 0, onFailed: fail },
        tracks: tracks.tracks.slice(0, heardMix().tracks.length),
        onWaiting: showWaiting,
      })
      store.set({ status: 'own' })
      core.applyVolume?.()
    } catch (error) {
      if (own === turn) fail(error)
    }
  }

  function showWaiting(isWaiting: boolean): void {
    clearTimeout(waitTimer)
    if (isWaiting) waitTimer = setTimeout(() => core.store.set({ isWaiting: true }), WAITING_MS)
    else core.store.set({ isWaiting: false })
  }

  const over = new AbortController()
  const { signal } = over
  /** A context starts by a gesture only. */
  const wake = () => store.get().status === 'asleep' && apply()
  for (const type of ['pointerup', 'keydown']) document.addEventListener(type, wake, { signal })
  let wasNormal = isNormalSpeed()
  const unsubscribe = core.store.subscribe(() => {
    if (wasNormal === isNormalSpeed()) return
    wasNormal = isNormalSpeed()
    apply()
  })
  core.mixer = {
    isHeard: () => engine !== undefined,
    setVolume: (volume) => engine?.setVolume(volume),
    refresh() {
      if (store.get().status === 'everyone') store.set({ mix: everyone() })
      apply()
    },
    close() {
      over.abort()
      unsubscribe()
      clearTimeout(waitTimer)
      stop('everyone')
      core.mixer = undefined
      onClosed()
    },
  }
  const change = (mix: SoundMix) => {
    store.set({ mix })
    rememberMix(options.videoId, isSameMix(mix, everyone()) ? null : mix)
    apply()
  }
  apply()
  return {
    store,
    everyone,
    changeTrack(number, changed) {
      const { mix } = store.get()
      const tracks = mix.tracks.map((one) => (one.number === number ? { ...one, ...changed } : one))
      change({ ...mix, tracks })
    },
    setDucking: (ducks) => change({ ...store.get().mix, ducks }),
    toggleSolo(number) {
      const { solo } = store.get()
      const others = solo.filter((one) => one !== number)
      store.set({ solo: others.length < solo.length ? others : [...solo, number] })
      apply()
    },
    reset() {
      isBroken = false
      store.set({ solo: [] })
      change(everyone())
    },
  }
}

function everyonesMix(core: PlayerCore): SoundMix {
  const tracks = mixableTracks(core)
  const voices = tracks.filter(({ isVoice }) => isVoice).map(({ number }) => number)
  return core.surroundings.soundMix ?? plainMix(numbersOf(core), new Set(voices))
}

/** Returns undefined before the first gesture of the viewer. @throws CannotMixError */
async function openContext(): Promise<AudioContext | undefined> {
  const canDecode = 'AudioDecoder' in window && 'AudioContext' in window
  if (!canDecode) throw new CannotMixError()
  const context = new AudioContext({ sampleRate: MIX_RATE, latencyHint: 'playback' })
  const isBlocked = new Promise<void>((resolve) => setTimeout(resolve, 300))
  await Promise.race([context.resume().catch(() => undefined), isBlocked])
  if (context.state === 'running') return context
  await context.close()
  return undefined
}
