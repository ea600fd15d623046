import { createStore, type Store } from '#client/platform/store.ts'

export type MatchClockState = {
  isPaused: boolean
  rate: number
  /** The large picture waits for data, and all others for it. */
  isHeld: boolean
}

/** Says where in the match all pictures are. A watch room has one of its own. */
export type MatchClock = {
  store: Store<MatchClockState>
  /** In seconds. */
  now: () => number
  play: () => void
  pause: () => void
  seek: (seconds: number) => void
  setRate: (rate: number) => void
  /** Follows the large picture, whose sound is not corrected. Absent if others decide where the match is. */
  lead?: { at: (seconds: number) => void; hold: (isHeld: boolean) => void }
}

/** @param length of the match in seconds */
export function createMatchClock(
  length: () => number,
  timer = () => performance.now(),
): MatchClock & Required<Pick<MatchClock, 'lead'>> {
  const store = createStore<MatchClockState>({ isPaused: true, rate: 1, isHeld: false })
  let position = 0
  let at = timer()

  const within = (seconds: number) => Math.min(Math.max(0, seconds), length())
  const now = () => {
    const { isPaused, isHeld, rate } = store.get()
    return isPaused || isHeld ? position : within(position + ((timer() - at) / 1000) * rate)
  }
  const set = (seconds: number, change: Partial<MatchClockState> = {}) => {
    position = within(seconds)
    at = timer()
    store.set(change)
  }
  return {
    store,
    now,
    play: () => set(now() >= length() ? 0 : now(), { isPaused: false }),
    pause: () => set(now(), { isPaused: true, isHeld: false }),
    seek: (seconds) => set(seconds),
    setRate: (rate) => set(now(), { rate }),
    lead: {
      at: (seconds) => set(seconds, { isHeld: false }),
      hold: (isHeld) => set(now(), { isHeld }),
    },
  }
}
