import { type CSSProperties, useState } from 'react'
import { hueOf } from '#shared/hue-of.ts'
import classes from './avatar.module.css'

type AvatarProps = {
  name: string
  src: string | null
  size?: number
  /** Stands for nobody in particular: it has no colour of its own. */
  isNobody?: boolean
}

/** A round picture, or the first letter of the name on a colour of its own. It is decoration: the name stands beside it. */
export function Avatar({ name, src, size = 36, isNobody = false }: AvatarProps) {
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
    <span
      className={`${classes.avatar} ${isNobody ? '' : classes.letter}`}
      style={isNobody ? style : ({ ...style, '--hue': hueOf(name) } as CSSProperties)}
      aria-hidden="true"
    >
      {letter.toUpperCase()}
    </span>
  )
}
