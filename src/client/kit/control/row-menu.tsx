import { IconButton } from '#client/kit/control/icon-button.tsx'
import '../styles/mantine-pages.css'
import { Menu } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { IconDots, type TablerIcon } from '@tabler/icons-react'
import { type ReactNode, type Ref, useRef } from 'react'

export type RowMenuItem = {
  label: string
  Icon: TablerIcon
  onPress: () => void
  /** It takes something away for good, or from a user. */
  isDanger?: boolean
}

type RowMenuProps = {
  label: string
  items: readonly RowMenuItem[]
  variant?: 'default' | 'subtle'
  openerRef?: Ref<HTMLButtonElement>
  /** What follows the items; it may put the focus on the button that opened the menu. */
  renderMore?: (focusOpener: () => void) => ReactNode
}

/** What is done now and then, in a menu at the end of its row. */
export function RowMenu(props: RowMenuProps) {
  const { label, items, variant = 'default', openerRef, renderMore } = props
  const opener = useRef<HTMLButtonElement>(null)
  const bothRefs = useMergedRef(opener, openerRef)
  const focusOpener = () => opener.current?.focus()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton ref={bothRefs} variant={variant} radius="xl" aria-label={label}>
          <IconDots size={20} stroke={1.75} aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={label} aria-labelledby={undefined}>
        {items.map(({ label: name, Icon, onPress, isDanger }) => (
          <Menu.Item
            key={name}
            leftSection={<Icon size={20} stroke={1.75} aria-hidden />}
            data-danger={isDanger || undefined}
            onClick={() => {
              // First, so that a dialog that this opens gives the focus back to it.
              focusOpener()
              onPress()
            }}
          >
            {name}
          </Menu.Item>
        ))}
        {renderMore?.(focusOpener)}
      </Menu.Dropdown>
    </Menu>
  )
}
