import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import type { Video } from '#shared/schemas/video.schemas.ts'
import classes from './card-menu.module.css'

const OpenedCardMenu = lazyPart(() => import('./opened-card-menu.tsx'))

type CardMenuProps = {
  video: Video
  className?: string | undefined
  /** Takes the video out of the list, or puts it back; without it 'Not interested' is not offered. */
  onHide?: (isHidden: boolean) => void
}

/** What can be done with a video besides watching it. What it opens is loaded when it is pointed at. */
export function CardMenu({ video, className = '', onHide }: CardMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const look = { label: `Actions for ${video.title}`, className: `${classes.button} ${className}` }
  const button = (
    <UnstyledButton
      className={look.className}
      aria-label={look.label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={OpenedCardMenu.preload}
      onFocus={OpenedCardMenu.preload}
      onClick={() => setWanted(true)}
    />
  )
  if (!isWanted) return button
  return (
    <OpenedCardMenu
      {...{ video, onHide, ...look }}
      standIn={button}
      onClose={() => setWanted(false)}
    />
  )
}
