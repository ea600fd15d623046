import { createStore } from '#client/platform/store.ts'
import type { CutPart } from '#shared/schemas/cut.schemas.ts'
import { createStandby, INTO_FRAME } from './cut-standby.ts'

/** Wall-clock seconds to seek ahead of a cut. */
const LEAD_SECONDS = 2

type State = {
  seconds: number
  isPlaying: boolean
  /** The visible and audible element. */
  front: 0 | 1
  isMuted: boolean
  /** Unplayable here. */
  hasFailed: boolean
}

type Options = {
  durationSeconds: number
  frameRate: number
}

export type CutPlayer = ReturnType<typeof createCutPlayer>

/**
 * Skips cut parts without a gap: of two elements with the same file, one seeks ahead while the
 * other plays.
 */
export function createCutPlayer({ durationSeconds, frameRate }: Options) {
  const store = createStore<State>({
    seconds: 0,
    isPlaying: false,
    front: 0,
    isMuted: false,
    hasFailed: false,
  })
  const elements: (HTMLVideoElement | null)[] = [null, null]
  const { get, set } = store
  let parts: readonly CutPart[] = [{ fromSeconds: 0, toSeconds: durationSeconds }]
  const standby = createStandby(frameRate)
  let frame = 0

  const front = () => elements[get().front] ?? null
  const behind = () => elements[1 - get().front] ?? null
  const clamp = (seconds: number) => Math.max(0, Math.min(durationSeconds, seconds))

  function show(seconds: number): void {
    const video = front()
    if (video) video.currentTime = Math.min(seconds + INTO_FRAME, durationSeconds)
    set({ seconds })
  }

  function seek(seconds: number): void {
    dropStandby()
    show(clamp(seconds))
  }

  function dropStandby(): void {
    standby.drop()
    behind()?.pause()
  }

  /** @returns `seconds` within a kept part, else the start of the next one, or undefined after the last */
  function playableFrom(seconds: number): number | undefined {
    const part = parts.find(({ toSeconds }) => toSeconds - seconds > halfFrame())
    return part && Math.max(part.fromSeconds, seconds)
  }
  const halfFrame = () => 0.5 / frameRate

  /** Switches to the standby element, or seeks. */
  function jump(seconds: number): void {
    const [before, next] = [front(), behind()]
    const state = standby.stateAt(seconds)
    if (state === 'coming') {
      before?.pause()
      return
    }
    standby.drop()
    if (!next || state === 'absent') {
      next?.pause()
      show(seconds)
      void before?.play().catch(() => undefined)
      return
    }
    next.muted = get().isMuted
    set({ front: get().front === 0 ? 1 : 0, seconds })
    before?.pause()
  }

  function watch(): void {
    frame = requestAnimationFrame(watch)
    const video = front()
    if (!video || video.seeking) return
    const seconds = video.currentTime
    const next = playableFrom(seconds)
    if (next === undefined || video.ended) {
      pause()
      seek(next === undefined ? (parts.at(-1)?.toSeconds ?? 0) : durationSeconds)
      return
    }
    if (next > seconds) {
      jump(next)
      return
    }
    set({ seconds })
    prepare(seconds)
  }

  /** Prepares the standby element. */
  function prepare(seconds: number): void {
    const video = behind()
    const after = parts.find(({ fromSeconds }) => fromSeconds > seconds)
    const current = parts.find(({ toSeconds }) => toSeconds > seconds)
    if (!video || !after || !current) return
    const secondsLeft = current.toSeconds - seconds
    if (secondsLeft > LEAD_SECONDS) return
    standby.prepare(video, { at: after.fromSeconds, secondsLeft })
  }

  function play(): void {
    const isAtEnd = playableFrom(get().seconds) === undefined || get().seconds >= durationSeconds
    const from = playableFrom(isAtEnd ? 0 : get().seconds)
    const video = front()
    if (from === undefined || !video) return
    if (from !== get().seconds) show(from)
    video.play().then(
      () => undefined,
      () => pause(),
    )
    set({ isPlaying: true })
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(watch)
  }

  function pause(): void {
    cancelAnimationFrame(frame)
    front()?.pause()
    dropStandby()
    set({ isPlaying: false })
  }

  return {
    store,
    seek,
    play,
    pause,
    toggle: () => (get().isPlaying ? pause() : play()),
    skip: (seconds: number) => seek(get().seconds + seconds),
    /** Pauses first. */
    step(frames: number): void {
      pause()
      const picture = Math.floor(get().seconds * frameRate + 0.01)
      seek((picture + frames) / frameRate)
    },
    toggleMute(): void {
      const isMuted = !get().isMuted
      set({ isMuted })
      const video = front()
      if (video) video.muted = isMuted
    },
    setParts(next: readonly CutPart[]): void {
      parts = next
      dropStandby()
    },
    fail: () => set({ hasFailed: true }),
    /** @returns detaches it */
    attach(index: 0 | 1, element: HTMLVideoElement): () => void {
      elements[index] = element
      return () => {
        elements[index] = null
        element.pause()
        cancelAnimationFrame(frame)
      }
    },
  }
}
