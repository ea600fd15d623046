import { useEffect, useRef } from 'react'
import type { Video } from '#shared/schemas/video.schemas.ts'
import classes from './moment-review.module.css'
import type { Range } from './moment-texts.ts'

/** Plays a part of a video, from its beginning whenever another is chosen, and stops at its end. */
export function RangePlayer({ video, range }: { video: Video; range: Range }) {
  const ref = useRef<HTMLVideoElement>(null)
  const { startSeconds, endSeconds } = range
  const isFirst = useRef(true)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    element.currentTime = startSeconds
    // Nothing sounds before somebody has chosen.
    if (isFirst.current) isFirst.current = false
    else void element.play().catch(() => undefined)
  }, [startSeconds])
  return (
    // biome-ignore lint/a11y/useMediaCaption: the video's own page has its captions.
    <video
      ref={ref}
      className={classes.video}
      src={video.videoUrl ?? undefined}
      poster={video.thumbnailUrl ?? undefined}
      aria-label="The chosen moment"
      preload="metadata"
      controls
      playsInline
      onTimeUpdate={({ currentTarget: element }) => {
        const isOver = element.currentTime >= endSeconds && element.currentTime < endSeconds + 1
        if (isOver && !element.paused) element.pause()
      }}
    />
  )
}
