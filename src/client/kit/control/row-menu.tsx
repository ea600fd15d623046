import { IconDots, type TablerIcon } from '@tabler/icons-react'
import { type ReactNode, type Ref, useState } from 'react'
import { lazyPart } from '../list/lazy-part.tsx'
import { IconButton } from './icon-button.tsx'

const OpenedRowMenu = lazyPart(() => import('./opened-row-menu.tsx'))

export type RowMenuItem = {
  label: string
  Icon: TablerIcon
  onPress: () => void
  /** It takes something away for good, or from a user. */
  isDanger?: boolean
}

export type RowMenuProps = {
  label: string
  items: readonly RowMenuItem[]
  variant?: 'default' | 'subtle'
  openerRef?: Ref<HTMLButtonElement>
  /** What follows the items; it may put the focus on the button that opened the menu. */
  renderMore?: (focusOpener: () => void) => ReactNode
}

/** What is done now and then, in a menu at the end of its row. What it opens is loaded when it is pointed at. */
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

export const RowMenuDots = () => <IconDots size={20} stroke={1.75} aria-hidden />
