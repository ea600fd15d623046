import { useState } from 'react'
import { IconButton } from '../control/icon-button.tsx'
import { lazyPart } from '../list/lazy-part.tsx'
import { RowMenuDots, type RowMenuProps } from './row-menu-item.tsx'

const OpenedRowMenu = lazyPart(() => import('./opened-row-menu.tsx'))

/** Loaded on hover. */
export function RowMenu(props: RowMenuProps) {
  const { label, variant = 'default', openerRef } = props
  const [isWanted, setWanted] = useState(false)
  const button = (
    <IconButton
      ref={openerRef}
      variant={variant}
      radius="xl"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={OpenedRowMenu.preload}
      onFocus={OpenedRowMenu.preload}
      onClick={() => setWanted(true)}
    >
      <RowMenuDots />
    </IconButton>
  )
  if (!isWanted) return button
  return <OpenedRowMenu {...props} standIn={button} onClose={() => setWanted(false)} />
}
