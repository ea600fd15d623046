import { useState } from 'react'
import classes from './avatar.module.css'

type AvatarProps = { name: string; src: string | null; size?: number }

/** A round picture, or the first letter of the name. It is decoration: the name stands beside it. */
export function Avatar({ name, src, size = 36 }: AvatarProps) {
  const [failedSrc, setFailedSrc] = useState<string>()
  const style = { width: size, height: size, fontSize: size * 0.44 }
  if (src && src !== failedSrc) {
    return (
      <img
        className={classes.avatar}
        style={style}
        src={src}
        width={size}
        height={size}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setFailedSrc(src)}
      />
    )
  }
  const [letter = '?'] = name.trim()
  return (
    <span className={classes.avatar} style={style} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  )
}
