import {
  MIX_FRAME,
  MIX_FRAMES_AFTER,
  MIX_FRAMES_BEFORE,
  MIX_RATE,
  mixSound,
  type SoundMix,
} from '#shared/sound-mix.ts'
import { followSound } from './follow-sound.ts'
import type { TrackSound } from './track-sound.ts'

const BLOCK_FRAMES = 20
const BLOCK_SAMPLES = BLOCK_FRAMES * MIX_FRAME
/** Scheduled ahead; hidden pages are woken once a second. */
const AHEAD_SECONDS = { visible: 0.8, hidden: 3 }
const LOOK_EVERY_MS = 60
/** From the decision to the first sample. */
const LEAD_SECONDS = 0.05
/** The picture goes on for this long without sound. */
const HOLD_AFTER_MS = 200
/** Between two mixes, and at a start. */
const FADE_SECONDS = 0.015

/** Sample at which the frame at a time begins. */
const frameAt = (seconds: number) =>
  Math.max(0, Math.floor((seconds * MIX_RATE) / MIX_FRAME)) * MIX_FRAME

export type MixEngine = {
  setMix: (mix: SoundMix) => void
  /** 0 to 1. */
  setVolume: (volume: number) => void
  close: () => void
}

/** Sound without a gap. */
type Run = {
  /** Time of the context at which the video begins. */
  zero: number
  /** First sample that is not scheduled. */
  next: number
  fade: GainNode
  sources: AudioBufferSourceNode[]
}

type Options = {
  video: HTMLVideoElement
  context: AudioContext
  /** Those of the mix. */
  tracks: readonly TrackSound[]
  mix: SoundMix
  volume: number
  /** The picture waits for the sound. */
  onWaiting: (isWaiting: boolean) => void
  onFailed: (error: unknown) => void
}

/**
 * Plays a mix in place of the sound of a muted element. The sound begins with the picture that is shown; from
 * then on the context is the clock, which the picture follows. See docs/decisions/0094-the-mixer.md.
 */
export function startMixEngine(options: Options): MixEngine {
  const { video, context, tracks, onWaiting } = options
  const over = new AbortController()
  const { signal } = over
  const output = context.createGain()
  output.connect(context.destination)
  output.gain.value = options.volume
  let { mix } = options
  let hasNewMix = false
  let run: Run | undefined
  let isStarting = false
  /** Changes with every start and stop. */
  let turn = 0
  const follower = followSound(video, context)

  const timeOf = ({ zero }: Run, sample: number) => zero + sample / MIX_RATE

  async function makeBlock(sample: number, isStale: () => boolean) {
    const from = sample - MIX_FRAMES_BEFORE * MIX_FRAME
    const count = (MIX_FRAMES_BEFORE + BLOCK_FRAMES + MIX_FRAMES_AFTER) * MIX_FRAME
    const windows = await Promise.all(tracks.map((track) => track.read(from, count, isStale)))
    if (isStale()) return undefined
    const mixed = mixSound(
      mix,
      windows.filter((one) => one !== undefined),
      BLOCK_FRAMES,
    )
    const buffer = context.createBuffer(2, BLOCK_SAMPLES, MIX_RATE)
    for (const [channel, values] of mixed.entries()) buffer.getChannelData(channel).set(values)
    return buffer
  }

  function hold(): void {
    follower.hold()
    onWaiting(true)
  }

  function schedule(current: Run, buffer: AudioBuffer): void {
    const source = context.createBufferSource()
    source.buffer = buffer
    source.connect(current.fade)
    const when = timeOf(current, current.next)
    const late = Math.max(0, context.currentTime - when)
    source.start(when + late, late)
    source.onended = () => {
      current.sources = current.sources.filter((one) => one !== source)
    }
    current.sources.push(source)
    current.next += BLOCK_SAMPLES
  }

  function openFade(from: number): GainNode {
    const fade = context.createGain()
    fade.connect(output)
    fade.gain.setValueAtTime(0, from)
    fade.gain.linearRampToValueAtTime(1, from + FADE_SECONDS)
    return fade
  }

  function closeFade({ fade, sources }: Pick<Run, 'fade' | 'sources'>, from: number): void {
    fade.gain.setValueAtTime(1, from)
    fade.gain.linearRampToValueAtTime(0, from + FADE_SECONDS)
    for (const source of sources) source.stop(from + FADE_SECONDS)
  }

  function stop(): void {
    turn += 1
    isStarting = false
    follower.stop()
    if (run) closeFade(run, context.currentTime)
    run = undefined
    onWaiting(false)
  }

  async function begin(): Promise<void> {
    stop()
    const own = turn
    const isStale = () => own !== turn || signal.aborted
    if (video.paused || video.seeking) return
    isStarting = true
    await context.resume()
    const slow = setTimeout(hold, HOLD_AFTER_MS)
    const ready = await makeBlock(frameAt(video.currentTime), isStale).finally(() =>
      clearTimeout(slow),
    )
    if (!ready || isStale()) return
    follower.release()
    onWaiting(false)
    const zero = await follower.measure(isStale)
    const startsAt = context.currentTime + LEAD_SECONDS
    const next = frameAt(startsAt - zero)
    const buffer = await makeBlock(next, isStale)
    if (!buffer || isStale()) return
    const begun: Run = { zero, next, fade: openFade(startsAt), sources: [] }
    run = begun
    isStarting = false
    schedule(begun, buffer)
    follower.begin(zero)
    await goOn(begun, isStale)
  }

  /** @throws when the tracks cannot be loaded */
  async function goOn(current: Run, isStale: () => boolean): Promise<void> {
    while (!isStale()) {
      if (hasNewMix) await changeMix(current, isStale)
      const ahead = timeOf(current, current.next) - context.currentTime
      const enough = document.hidden ? AHEAD_SECONDS.hidden : AHEAD_SECONDS.visible
      if (ahead > enough) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
        continue
      }
      const buffer = await makeBlock(current.next, isStale)
      if (!buffer || isStale()) return
      if (timeOf(current, current.next) <= context.currentTime) {
        start()
        return
      }
      schedule(current, buffer)
    }
  }

  /** From shortly after now on. */
  async function changeMix(current: Run, isStale: () => boolean): Promise<void> {
    hasNewMix = false
    const from = context.currentTime + LEAD_SECONDS
    const sample = Math.ceil(((from - current.zero) * MIX_RATE) / MIX_FRAME) * MIX_FRAME
    if (sample >= current.next) return
    const buffer = await makeBlock(sample, isStale)
    if (!buffer || isStale()) return
    const when = Math.max(timeOf(current, sample), context.currentTime)
    closeFade({ ...current }, when)
    current.fade = openFade(when)
    current.sources = []
    current.next = sample
    schedule(current, buffer)
  }

  const start = () => {
    begin().catch((error) => {
      if (!signal.aborted) options.onFailed(error)
    })
  }
  const on = (types: string, act: () => void) => {
    for (const type of types.split(' ')) video.addEventListener(type, act, { signal })
  }
  on('pause ended emptied', () => {
    stop()
    void context.suspend()
  })
  on('seeking waiting', () => follower.isSeeking() || stop())
  on('playing seeked', () => {
    if (!run && !isStarting) start()
  })
  // The next block may be waiting for the network.
  const timer = setInterval(() => {
    if (!run || timeOf(run, run.next) > context.currentTime || follower.isHeld()) return
    hold()
  }, LOOK_EVERY_MS)
  start()
  return {
    setMix(wanted) {
      mix = wanted
      hasNewMix = true
    },
    setVolume(volume) {
      output.gain.setTargetAtTime(volume, context.currentTime, FADE_SECONDS)
    },
    close() {
      stop()
      over.abort()
      clearInterval(timer)
      follower.close()
      setTimeout(() => void context.close(), 2000 * FADE_SECONDS)
    },
  }
}
