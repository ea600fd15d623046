import { useEffect, useRef } from 'react'
import classes from './poster-field.module.css'

type FramePreviewProps = { url: string; seconds: number; posterUrl: string | null }

export function FramePreview({ url, seconds, posterUrl }: FramePreviewProps) {
  const ref = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (ref.current) ref.current.currentTime = seconds
  }, [seconds])
  return (
    <video
      ref={ref}
      className={classes.preview}
      src={url}
      poster={posterUrl ?? undefined}
      aria-label="The chosen frame"
      preload="auto"
      muted
      playsInline
    />
  )
}
