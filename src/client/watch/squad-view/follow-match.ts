import type { Player } from '../player/core/player.ts'
import { startPlaying } from '../player/core/start-playing.ts'
import type { MatchClock } from './match-clock.ts'

const LOOK_EVERY_MS = 100
/** A correction begins at a greater difference, and ends below the smaller one. */
const CORRECTED_SECONDS = 0.02
const EXACT_SECONDS = 0.006
/** A change of speed costs the browser time, and the element a step. */
const CORRECT_EVERY_MS = 600
const CORRECTION_MIN = 0.02
/** A picture that starts seeks if the difference is greater. */
const NEAR_SECONDS = 0.06
/** One that plays seeks only if it is greater than this. */
const FAR_SECONDS = { silent: 0.25, heard: 1 }
/** Nobody hears the small pictures, so these catch up faster. */
const CORRECTION_MAX = { silent: 0.1, heard: 0.03 }
/** A difference is corrected over about this time. */
const CORRECTED_IN_SECONDS = 1
const STILL_SECONDS = 0.02
const REFUSED_MS = 1000
/** The clock takes over this share of a difference at each check, because the time of an element is not exact on a busy machine. */
const TAKEN_SHARE = 0.1
/** A greater difference is taken over if it lasts for this many looks. */
const WAVER_SECONDS = 0.05
const WAVER_LOOKS = 5
/** A slow connection would seek, wait and seek again. */
const SEEK_EVERY_MS = 1500
const FIRST_LEAD_SECONDS = 0.05
const LEAD_MAX_SECONDS = 0.5

/** A recording on the page. */
export type Picture = {
  player: Player
  /** The second of the match at which the recording begins. */
  offsetSeconds: number
  durationSeconds: number
  /** The large one. */
  isHeard: boolean
  /** Tells whether it was recording at this time of the match. */
  onRecording: (is: 'before' | 'on' | 'after') => void
}

/**
 * Keeps all pictures at the time of the match. See docs/decisions/0095-squad-views.md.
 * @param pictures read at each look
 * @returns a stop function
 */
export function followMatch(clock: MatchClock, pictures: () => readonly Picture[]): () => void {
  const followers = new WeakMap<Player, ReturnType<typeof createFollower>>()
  const followerOf = (player: Player) => {
    const follower = followers.get(player) ?? createFollower(player, clock)
    followers.set(player, follower)
    return follower
  }
  const look = () => {
    const all = pictures()
    const large = all.find(({ isHeard }) => isHeard)
    if (large) followerOf(large.player).follow(large)
    for (const one of all) if (one !== large) followerOf(one.player).follow(one)
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  const unsubscribe = clock.store.subscribe(look)
  look()
  return () => {
    clearInterval(timer)
    unsubscribe()
  }
}

function createFollower({ core }: Player, clock: MatchClock) {
  const video = core.element
  let isStarting = false
  let lead = FIRST_LEAD_SECONDS
  let soughtAt = Number.NEGATIVE_INFINITY
  let isLearning = false
  let hasJustStarted = true
  let wavers = 0
  let correction = 0
  let correctsFrom = 0

  const setSpeed = (speed: number) => {
    if (Math.abs(video.playbackRate - speed) > 0.0005) video.playbackRate = speed
  }
  const seek = (seconds: number) => {
    video.currentTime = Math.max(0, seconds)
    soughtAt = performance.now()
  }
  const start = async () => {
    isStarting = true
    hasJustStarted = true
    await startPlaying(core, video)
    // A browser that refuses is not asked again at once.
    const isRefused = video.paused && !clock.store.get().isPaused
    if (isRefused) await new Promise((resolve) => setTimeout(resolve, REFUSED_MS))
    isStarting = false
  }
  const isFlowing = () =>
    !video.paused && !video.seeking && video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA

  /** The clock follows it. */
  function leadOn(goal: number, offset: number, ahead: NonNullable<MatchClock['lead']>): void {
    setSpeed(clock.store.get().rate)
    const difference = video.currentTime - goal
    const isNear = Math.abs(difference) <= FAR_SECONDS.silent
    if (isNear && isFlowing()) {
      const isHeld = clock.store.get().isHeld
      wavers = Math.abs(difference) > WAVER_SECONDS ? wavers + 1 : 0
      const takes = isHeld || wavers > WAVER_LOOKS ? 1 : TAKEN_SHARE
      ahead.at(goal + difference * takes + offset)
      return
    }
    wavers = 0
    ahead.hold(true)
    if (!isNear && !video.seeking) seek(goal)
    if (video.paused && !isStarting) void start()
  }

  function keepUp(goal: number, loudness: 'silent' | 'heard'): void {
    const { rate } = clock.store.get()
    const behind = goal - video.currentTime
    if (video.paused) {
      if (isStarting) return
      if (Math.abs(behind) > NEAR_SECONDS && !video.seeking) seek(goal + lead * rate)
      isLearning = true
      void start()
      return
    }
    if (!isFlowing()) return
    if (isLearning && Math.abs(behind) < 1) {
      isLearning = false
      lead = Math.min(Math.max(0, lead + behind / 2), LEAD_MAX_SECONDS)
    }
    const limit = hasJustStarted ? NEAR_SECONDS : FAR_SECONDS[loudness]
    if (Math.abs(behind) > limit && performance.now() - soughtAt > SEEK_EVERY_MS) {
      seek(goal + lead * rate)
      isLearning = true
      return
    }
    hasJustStarted &&= Math.abs(behind) > limit
    correct(behind, CORRECTION_MAX[loudness])
  }

  function correct(behind: number, most: number): void {
    const { rate } = clock.store.get()
    const isOver = Math.abs(behind) < EXACT_SECONDS || behind * correction < 0
    if (correction !== 0 && isOver) correction = 0
    else if (Math.abs(behind) > CORRECTED_SECONDS && performance.now() >= correctsFrom) {
      const share = Math.abs(behind) / CORRECTED_IN_SECONDS
      correction = Math.sign(behind) * Math.min(Math.max(share, CORRECTION_MIN), most)
      correctsFrom = performance.now() + CORRECT_EVERY_MS
    }
    setSpeed(rate * (1 + correction))
  }

  function stayAt(goal: number): void {
    if (!video.paused) video.pause()
    if (!video.seeking && Math.abs(goal - video.currentTime) > STILL_SECONDS) seek(goal)
  }

  return {
    follow({ offsetSeconds, durationSeconds, isHeard, onRecording }: Picture): void {
      const hasFailed = core.store.get().hasFailed
      if (hasFailed || video.readyState < HTMLMediaElement.HAVE_METADATA) {
        // The others do not wait for what cannot be played.
        if (isHeard && !clock.store.get().isPaused) clock.lead?.hold(!hasFailed)
        return
      }
      const { isPaused, isHeld } = clock.store.get()
      const end = Number.isFinite(video.duration) ? video.duration : durationSeconds
      const goal = clock.now() - offsetSeconds
      // Keeping the pitch at another speed is work, and nobody hears the small pictures.
      video.preservesPitch = isHeard
      const recording = goal < 0 ? 'before' : goal >= end ? 'after' : 'on'
      onRecording(recording)
      if (recording !== 'on') {
        stayAt(recording === 'before' ? 0 : Math.max(0, end - STILL_SECONDS))
        if (isHeard && isHeld) clock.lead?.hold(false)
      } else if (isPaused) stayAt(goal)
      else if (isHeard && clock.lead) leadOn(goal, offsetSeconds, clock.lead)
      else if (isHeld) video.pause()
      else keepUp(goal, isHeard ? 'heard' : 'silent')
    },
  }
}
