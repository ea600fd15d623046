import { createStore } from '#client/platform/store.ts'
import { positionAt } from '#shared/watch-rooms.ts'
import {
  createMatchClock,
  type MatchClock,
  type MatchClockState,
} from '../squad-view/match-clock.ts'
import { maySteer, type Room } from './room.ts'

const LOOK_EVERY_MS = 300
const OVER_AGAIN_MS = 3000

type Item = { itemId: number; lengthSeconds: number }

/**
 * The clock of a squad view in a room, which the server owns. Commands of those who may not steer move only their own pictures,
 * which have a clock of their own until they go back to the group.
 */
export function followRoomClock(
  room: Room,
  { itemId, lengthSeconds }: Item,
): MatchClock & { run: () => () => void } {
  const store = createStore<MatchClockState>({ isPaused: true, rate: 1, isHeld: false })
  const own = createMatchClock(() => lengthSeconds)
  let saidOverAt = Number.NEGATIVE_INFINITY

  const isAway = () => room.store.get().isAway
  const ofRoom = () => {
    const { playback } = room.store.get()
    return playback?.itemId === itemId && room.clock.isKnown() ? playback : undefined
  }
  const within = (seconds: number) => Math.min(Math.max(0, seconds), lengthSeconds)
  const now = () => {
    if (isAway()) return own.now()
    const playback = ofRoom()
    return playback ? within(positionAt(playback, room.clock.now())) : 0
  }
  const leave = () => {
    own.seek(now())
    own.setRate(store.get().rate)
    if (store.get().isPaused) own.pause()
    else own.play()
    room.store.set({ isAway: true })
  }
  const mirror = () => {
    if (isAway()) store.set({ ...own.store.get(), isHeld: false })
    else {
      const playback = ofRoom()
      if (playback) store.set({ isPaused: playback.isPaused, rate: playback.rate })
    }
  }
  const steers = () => !isAway() && maySteer(room.store.get())
  /** Reports the end, those who may steer first. */
  const look = () => {
    const { role } = room.store.get()
    const time = performance.now()
    if (role === null || isAway() || store.get().isPaused || now() < lengthSeconds) return
    if (time - saidOverAt < OVER_AGAIN_MS) return
    saidOverAt = time
    const laterMs = steers() ? 0 : OVER_AGAIN_MS * (0.5 + Math.random())
    setTimeout(() => {
      if (ofRoom()?.isPaused === false) void room.finish(itemId).catch(() => undefined)
    }, laterMs)
  }
  return {
    store,
    now,
    play() {
      const place = now() >= lengthSeconds ? 0 : now()
      if (steers()) room.command({ isPaused: false, position: place })
      else if (isAway()) own.play()
    },
    pause() {
      if (steers()) room.command({ isPaused: true, position: now() })
      else {
        if (!isAway()) leave()
        own.pause()
      }
    },
    seek(seconds) {
      if (steers()) room.command({ position: within(seconds) })
      else {
        if (!isAway()) leave()
        own.seek(seconds)
      }
    },
    setRate(rate) {
      if (steers()) room.command({ rate: rate as 1, position: now() })
    },
    run() {
      const unsubscribers = [room.store.subscribe(mirror), own.store.subscribe(mirror)]
      const timer = setInterval(() => {
        mirror()
        look()
      }, LOOK_EVERY_MS)
      mirror()
      return () => {
        clearInterval(timer)
        for (const unsubscribe of unsubscribers) unsubscribe()
      }
    },
  }
}
