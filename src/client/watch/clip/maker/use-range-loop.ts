import { useEffect, useRef } from 'react'
import type { Player } from '../../player/core/player.ts'
import type { ClipRange } from './choose-range.ts'

/** So near the end of a video it would count as watched to the end. */
const BEFORE_END_SECONDS = 0.1
/** A seek lands on a frame a little before its time. */
const EARLY_SECONDS = 0.3

/** Plays a range over and over while the player plays. */
export function useRangeLoop(player: Player, range: ClipRange): void {
  const now = useRef(range)
  now.current = range
  useEffect(() => {
    const look = () => {
      const { video } = player.core
      if (!video || video.paused || video.seeking) return
      const { start, end } = now.current
      const { currentTime } = video
      const last = Math.min(end, video.duration - BEFORE_END_SECONDS)
      if (currentTime >= last || currentTime < start - EARLY_SECONDS) player.seek(start)
    }
    let handle = 0
    const follow = () => {
      look()
      handle = requestAnimationFrame(follow)
    }
    follow()
    return () => cancelAnimationFrame(handle)
  }, [player])
}
