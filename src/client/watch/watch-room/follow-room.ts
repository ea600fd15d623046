import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { positionAt, type RoomPlayback } from '#shared/watch-rooms.ts'
import { originOf, placeOf } from '../player/core/play-range.ts'
import type { Player } from '../player/core/player.ts'
import { startPlaying } from '../player/core/start-playing.ts'
import { maySteer, type Room } from './room.ts'

const LOOK_EVERY_MS = 200
/** Differences up to this are not corrected. */
const EXACT_SECONDS = 0.012
/** After a command or a wait, the player seeks if the difference is greater. */
const NEAR_SECONDS = 0.08
/** At other times it seeks only if the difference is greater than this. */
const FAR_SECONDS = 1
const CORRECTION_MAX = 0.03
/** A difference is corrected over about this time. */
const CORRECTED_IN_SECONDS = 1.5
const SEEKS_AFTER_COMMAND = 3
/** A slow connection would seek, wait and seek again. */
const WAITS_EVERY_MS = 5000
/** The time of a seek is learned from the seeks before. */
const FIRST_LEAD_SECONDS = 0.08
const LEAD_MAX_SECONDS = 0.6
/** A source that changes pauses the element for a moment. */
const PAUSED_MS = 600
const OVER_AGAIN_MS = 3000

const NOT_STEERING = 'The host decides what plays'

/**
 * Keeps a player where its room is, until the viewer leaves the group. See
 * docs/decisions/0090-watch-rooms.md.
 * @returns a stop function
 */
export function followRoom(player: Player, room: Room, itemId: number): () => void {
  const { core } = player
  const video = core.element
  const { store, clock } = room
  const over = new AbortController()
  const { signal } = over
  let seeksLeft = SEEKS_AFTER_COMMAND
  let lead = FIRST_LEAD_SECONDS
  let soughtAt: number | undefined
  let waitedAt = Number.NEGATIVE_INFINITY
  let isStarting = false
  let isBlocked = false
  let hasOwnPlace = false
  let isOwnPause = false
  let pausedAt: number | undefined
  let saidOverAt = Number.NEGATIVE_INFINITY
  let followed: RoomPlayback | undefined

  const place = () => placeOf(core, video)
  const duration = () => core.store.get().duration || Number.POSITIVE_INFINITY
  const within = (seconds: number) => Math.min(Math.max(0, seconds), duration())
  const setSpeed = (speed: number) => {
    if (Math.abs(video.playbackRate - speed) > 0.0005) video.playbackRate = speed
  }

  function seekHere(seconds: number): void {
    const time = within(seconds)
    video.currentTime = originOf(core) + time
    core.store.set({ time, hasEnded: false })
  }

  function pauseHere(): void {
    if (video.paused) return
    isOwnPause = true
    video.pause()
  }

  async function startHere(): Promise<void> {
    isStarting = true
    await startPlaying(core, video)
    isStarting = false
    isBlocked = video.paused && !video.ended
  }

  function follow(): void {
    const { playback, isAway } = store.get()
    if (signal.aborted || playback?.itemId !== itemId || isAway || !clock.isKnown()) return
    if (playback !== followed) {
      followed = playback
      pausedAt = undefined
      seeksLeft = SEEKS_AFTER_COMMAND
    }
    core.store.set({ rate: playback.rate })
    if (video.readyState < HTMLMediaElement.HAVE_METADATA) return
    if (playback.isPaused) stayAt(playback)
    else playWith(playback)
  }

  function stayAt({ position, rate }: RoomPlayback): void {
    pauseHere()
    setSpeed(rate)
    const goal = within(position)
    if (!video.seeking && Math.abs(place() - goal) > 0.005) seekHere(goal)
  }

  function playWith(playback: RoomPlayback): void {
    const goal = positionAt(playback, clock.now())
    const isNearEnd = goal >= duration() - FAR_SECONDS
    if (goal >= duration() || (video.ended && isNearEnd)) {
      sayOver()
      return
    }
    if (video.paused) {
      if (isStarting || isBlocked || isPausedByOthers()) return
      if (Math.abs(goal - place()) > NEAR_SECONDS) seekAhead(goal)
      void startHere()
      return
    }
    if (video.seeking || video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) return
    const behind = goal - place()
    learnLead(behind)
    const limit = seeksLeft > 0 ? NEAR_SECONDS : FAR_SECONDS
    if (Math.abs(behind) > limit) {
      seeksLeft -= 1
      seekAhead(goal)
      return
    }
    seeksLeft = 0
    const share = Math.abs(behind) < EXACT_SECONDS ? 0 : behind / CORRECTED_IN_SECONDS
    const correction = Math.min(Math.max(share, -CORRECTION_MAX), CORRECTION_MAX)
    setSpeed(playback.rate * (1 + correction))
  }

  function seekAhead(goal: number): void {
    const rate = followed?.rate ?? 1
    seekHere(goal + lead * rate)
    setSpeed(rate)
    soughtAt = performance.now()
  }

  function learnLead(behind: number): void {
    if (soughtAt === undefined || Math.abs(behind) > FAR_SECONDS) return
    soughtAt = undefined
    lead = Math.min(Math.max(0, lead + behind / 2), LEAD_MAX_SECONDS)
  }

  /** Returns true after a pause by the device, such as when headphones are pulled out. If it lasts, the viewer leaves the group. */
  function isPausedByOthers(): boolean {
    if (pausedAt === undefined || performance.now() - pausedAt < PAUSED_MS) {
      return pausedAt !== undefined
    }
    pausedAt = undefined
    if (video.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) return false
    leave(false)
    return true
  }

  /** Reports the end of the item. Viewers who may steer report it first, and others only if those did not. */
  function sayOver(): void {
    const state = store.get()
    const now = performance.now()
    if (state.role === null || now - saidOverAt < OVER_AGAIN_MS) return
    saidOverAt = now
    const laterMs = maySteer(state) ? 0 : OVER_AGAIN_MS * (0.5 + Math.random())
    setTimeout(() => {
      const isStill = store.get().playback?.itemId === itemId
      if (!signal.aborted && isStill) void room.finish(itemId).catch(() => undefined)
    }, laterMs)
  }

  function leave(withOwnPlace: boolean): void {
    hasOwnPlace ||= withOwnPlace
    setSpeed(followed?.rate ?? 1)
    store.set({ isAway: true })
  }

  core.steer = {
    play() {
      isBlocked = false
      pausedAt = undefined
      const { playback, isAway } = store.get()
      if (!playback) return
      if (isAway && (hasOwnPlace || playback.isPaused)) void startHere()
      else if (isAway) store.set({ isAway: false })
      else if (!playback.isPaused) follow()
      else if (maySteer(store.get())) {
        const isOver = place() >= duration() - NEAR_SECONDS
        room.command({ isPaused: false, position: isOver ? 0 : place() })
      } else core.flash('none', NOT_STEERING)
    },

    pause() {
      if (!store.get().isAway && maySteer(store.get())) {
        room.command({ isPaused: true, position: place() })
        return
      }
      leave(false)
      pauseHere()
    },

    seek(seconds) {
      if (!store.get().isAway && maySteer(store.get())) {
        room.command({ position: within(seconds) })
        return
      }
      leave(true)
      seekHere(seconds)
    },

    setRate(rate) {
      if (!store.get().isAway && maySteer(store.get())) room.command({ rate, position: place() })
      else core.flash('none', NOT_STEERING)
    },
  }
  room.onRefused((error) =>
    notify({ tone: 'error', title: 'The room goes on as it was', message: errorSentence(error) }),
  )

  const onPause = () => {
    const isOurs = isOwnPause || video.ended || store.get().isAway
    isOwnPause = false
    pausedAt = isOurs ? undefined : performance.now()
  }
  const onWaiting = () => {
    const now = performance.now()
    if (video.seeking || now - waitedAt < WAITS_EVERY_MS) return
    waitedAt = now
    seeksLeft = Math.max(seeksLeft, 1)
  }
  video.addEventListener('pause', onPause, { signal })
  video.addEventListener('waiting', onWaiting, { signal })
  for (const type of ['loadedmetadata', 'canplay', 'ended', 'seeked']) {
    video.addEventListener(type, follow, { signal })
  }
  let wasAway = store.get().isAway
  const unsubscribe = store.subscribe(() => {
    const { isAway } = store.get()
    if (wasAway && !isAway) {
      hasOwnPlace = false
      followed = undefined
    }
    wasAway = isAway
    follow()
  })
  const timer = setInterval(follow, LOOK_EVERY_MS)
  follow()
  return () => {
    over.abort()
    unsubscribe()
    clearInterval(timer)
    core.steer = undefined
    setSpeed(followed?.rate ?? 1)
  }
}
