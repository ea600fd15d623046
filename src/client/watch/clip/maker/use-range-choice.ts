import { useEffect, useRef, useState } from 'react'
import type { TimeWindow } from '#client/kit/timeline/time-window.ts'
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

/** So much is heard again after the end was moved. */
const BEFORE_END_SECONDS = 2
/** After the last key the range plays again. */
const REST_MS = 700

/**
 * The part of the video that is being chosen: it plays over and over, and shows the frame of an end while that is moved.
 * @param statedSeconds the video's length as the server knows it
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
    // While a picture is being fetched the next one is not asked for.
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
    /** Nothing was made: the video goes on where it was. */
    leave: () => {
      player.seek(opened.time)
      if (opened.isPaused) player.pause()
      else player.play()
    },
  }
}
