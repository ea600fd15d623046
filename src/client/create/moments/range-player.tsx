import { useCallback, useEffect, useRef, useState } from 'react'
import { PlainPlayer } from '#client/kit/video/plain-player.tsx'
import type { Video } from '#shared/schemas/video.schemas.ts'
import type { Range } from './moment-texts.ts'

/** Restarts for each range and stops at its end. */
export function RangePlayer({ video, range }: { video: Video; range: Range }) {
  const { startSeconds } = range
  const [element, setElement] = useState<HTMLVideoElement | null>(null)
  const latest = useRef(range)
  latest.current = range
  const shownAt = useRef(startSeconds)
  const follow = useCallback((shown: HTMLVideoElement) => {
    const stopAtEnd = () => {
      const { endSeconds } = latest.current
      const isOver = shown.currentTime >= endSeconds && shown.currentTime < endSeconds + 1
      if (isOver && !shown.paused) shown.pause()
    }
    shown.addEventListener('timeupdate', stopAtEnd)
    setElement(shown)
    return () => {
      shown.removeEventListener('timeupdate', stopAtEnd)
      setElement(null)
    }
  }, [])
  useEffect(() => {
    // The player starts at the first range itself, paused.
    if (!element || shownAt.current === startSeconds) return
    shownAt.current = startSeconds
    element.currentTime = startSeconds
    void element.play().catch(() => undefined)
  }, [element, startSeconds])
  if (!video.videoUrl) return null
  return (
    <PlainPlayer
      video={{ ...video, videoUrl: video.videoUrl }}
      startSeconds={startSeconds}
      onVideo={follow}
    />
  )
}
