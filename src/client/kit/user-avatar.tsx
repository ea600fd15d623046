import { Avatar } from '@mantine/core'
import type { CSSProperties } from 'react'
import { hueOf } from '#shared/hue-of.ts'

type UserAvatarProps = {
  name: string
  src: string | null
  size?: number
  /** Without a colour. */
  isNobody?: boolean
}

/** Picture or initial. Decorative, as the name is beside it. */
export function UserAvatar({ name, src, size = 36, isNobody = false }: UserAvatarProps) {
  const [letter = '?'] = name.trim()
  return (
    <Avatar
      component="span"
      src={src}
      alt=""
      imageProps={{ width: size, height: size, loading: 'lazy', decoding: 'async' }}
      data-hued={!isNobody || undefined}
      style={{ '--avatar-size': `${size}px`, '--hue': hueOf(name) } as CSSProperties}
      aria-hidden
    >
      {letter.toUpperCase()}
    </Avatar>
  )
}
