import { IconDots, type TablerIcon } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'

export type RowMenuItem = {
  label: string
  Icon: TablerIcon
  onPress: () => void
  /** Destructive. */
  isDanger?: boolean
}

export type RowMenuProps = {
  label: string
  items: readonly RowMenuItem[]
  variant?: 'default' | 'subtle'
  openerRef?: Ref<HTMLButtonElement>
  /** After the items; may focus the opener. */
  renderMore?: (focusOpener: () => void) => ReactNode
}

export const RowMenuDots = () => <IconDots size={20} stroke={1.75} aria-hidden />
