import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import type { Video } from '#shared/schemas/video.schemas.ts'
import classes from './card-menu.module.css'

const OpenedCardMenu = lazyPart(() => import('./opened-card-menu.tsx'))

type CardMenuProps = {
  video: Video
  className?: string | undefined
  /** Removes or restores the card; enables 'Not interested'. */
  onHide?: (isHidden: boolean) => void
}

/** Loaded on hover. */
export function CardMenu({ video, className = '', onHide }: CardMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const labelProps = {
    label: `Actions for ${video.title}`,
    className: `${classes.button} ${className}`,
  }
  const button = (
    <UnstyledButton
      className={labelProps.className}
      aria-label={labelProps.label}
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
      {...{ video, onHide, ...labelProps }}
      standIn={button}
      onClose={() => setWanted(false)}
    />
  )
}
