import { useEffect, useRef, useState } from 'react'
import type { TimeWindow } from '#client/kit/timeline/time-window.ts'
import { CLIP_DEFAULT_SECONDS } from '#shared/limits.ts'
import type { Player } from '../../player/core/player.ts'
import {
  keepSeen,
  lastSeconds,
  moveEdge,
  moveRange,
  type RangeEdge,
  windowOf,
} from './choose-range.ts'
import type { RangePart } from './use-range-drag.ts'
import { useRangeLoop } from './use-range-loop.ts'

/** Replayed after moving the end. */
const BEFORE_END_SECONDS = 2
/** Pause after the last key. */
const REST_MS = 700

/**
 * Loops the range; shows a frame while an end moves.
 * @param statedSeconds length from the server
 */
export function useRangeChoice(player: Player, statedSeconds: number) {
  const [opened] = useState(() => {
    const { time, isPaused, duration } = player.get()
    const durationSeconds = duration || statedSeconds
    return { time, isPaused, durationSeconds, range: lastSeconds(time, durationSeconds) }
  })
  const { durationSeconds } = opened
  const [choice, setChoice] = useState(() => ({
    range: opened.range,
    window: windowOf(opened.range, durationSeconds),
    limit: null as ReturnType<typeof moveEdge>['limit'],
  }))
  const now = useRef(choice)
  const plays = useRef(false)
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined)
  useRangeLoop(player, choice.range)

  const set = (change: Partial<typeof choice>) => {
    now.current = { ...now.current, ...change }
    setChoice(now.current)
  }
  const hold = () => {
    if (rest.current === undefined) plays.current = !player.get().isPaused
    clearTimeout(rest.current)
    rest.current = undefined
    player.pause()
  }
  const show = (seconds: number) => {
    // Waits for the previous seek.
    if (!player.core.video?.seeking) player.seek(seconds)
  }
  const move = (part: RangePart, to: number) => {
    const { range } = now.current
    const moved =
      part === 'all'
        ? { range: moveRange(range, to - range.start, durationSeconds), limit: null }
        : moveEdge(range, { edge: part, to, durationSeconds })
    set(moved)
    show(part === 'end' ? moved.range.end : moved.range.start)
  }
  const release = (part: RangePart) => {
    const { range, window } = now.current
    set({ window: keepSeen(window, range, durationSeconds) })
    if (part === 'end') player.seek(Math.max(range.start, range.end - BEFORE_END_SECONDS))
    else player.seek(range.start)
    if (plays.current) player.play()
  }
  const moveByKey = (edge: RangeEdge, to: number) => {
    hold()
    move(edge, to)
    const { range, window } = now.current
    set({ window: keepSeen(window, range, durationSeconds) })
    rest.current = setTimeout(() => {
      rest.current = undefined
      release(edge)
    }, REST_MS)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it opens and closes.
  useEffect(() => {
    const { video } = player.core
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (video) video.loop = true
    player.seek(opened.range.start)
    if (!isCalm) player.play()
    return () => {
      clearTimeout(rest.current)
      if (video) video.loop = player.get().isLooping
    }
  }, [])
  return {
    ...choice,
    durationSeconds,
    grab: hold,
    move,
    moveByKey,
    release,
    onWindow: (window: TimeWindow) => set({ window }),
    /** Moves the range to the seconds that follow it. */
    goOn: () => {
      const { end } = now.current.range
      const range = lastSeconds(end + CLIP_DEFAULT_SECONDS, durationSeconds)
      set({ range, window: windowOf(range, durationSeconds), limit: null })
      player.seek(range.start)
    },
    /** Restores the playback position. */
    leave: () => {
      player.seek(opened.time)
      if (opened.isPaused) player.pause()
      else player.play()
    },
  }
}
