import { type ReactNode, useState } from 'react'
import { formatDuration } from '#shared/text/format.ts'
import { FittedImage } from './fitted-image.tsx'
import classes from './thumbnail.module.css'

type ThumbnailProps = {
  src: string | null | undefined
  /** Omitted if 0. */
  seconds?: number
  className?: string | undefined
  /** In place of a picture. */
  children?: ReactNode
}

/** 80 px wide by default. */
export function Thumbnail({ src, seconds = 0, className = '', children }: ThumbnailProps) {
  const [failed, setFailed] = useState<string>()
  const isShown = src && src !== failed
  return (
    <span className={`${classes.thumbnail} ${className}`}>
      {isShown ? (
        <FittedImage src={src} loading="lazy" decoding="async" onError={() => setFailed(src)} />
      ) : (
        children
      )}
      {seconds > 0 && <span className={classes.duration}>{formatDuration(seconds)}</span>}
    </span>
  )
}
