import { IconDots, type TablerIcon } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'

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

export const RowMenuDots = () => <IconDots size={20} stroke={1.75} aria-hidden />
