import { useEffect, useRef } from 'react'
import type { Player } from '../../player/core/player.ts'
import type { ClipRange } from './choose-range.ts'

/** Closer to the end the video counts as watched. */
const BEFORE_END_SECONDS = 0.1
/** Seeks may land slightly early. */
const EARLY_SECONDS = 0.3

export function useRangeLoop(player: Player, range: ClipRange): void {
  const now = useRef(range)
  now.current = range
  useEffect(() => {
    const checkPosition = () => {
      const { video } = player.core
      if (!video || video.paused || video.seeking) return
      const { start, end } = now.current
      const { currentTime } = video
      const last = Math.min(end, video.duration - BEFORE_END_SECONDS)
      if (currentTime >= last || currentTime < start - EARLY_SECONDS) player.seek(start)
    }
    let handle = 0
    const follow = () => {
      checkPosition()
      handle = requestAnimationFrame(follow)
    }
    follow()
    return () => cancelAnimationFrame(handle)
  }, [player])
}
