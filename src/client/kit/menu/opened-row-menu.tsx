import '../styles/mantine-pages.css'
import { Menu } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { IconButton } from '../control/icon-button.tsx'
import { useOpenAtOnce } from '../control/use-open-at-once.ts'
import { RowMenuDots, type RowMenuProps } from './row-menu-item.tsx'

/** After the first press. */
export default function OpenedRowMenu(props: RowMenuProps & { onClose: () => void }) {
  const { label, items, variant = 'default', openerRef, renderMore } = props
  const { target, opened, setOpened } = useOpenAtOnce()
  const bothRefs = useMergedRef(target, openerRef)
  const focusOpener = () => target.current?.focus()
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      // Items that load later may need the room above the button.
      preventPositionChangeWhenVisible={renderMore === undefined}
    >
      <Menu.Target>
        <IconButton ref={bothRefs} variant={variant} radius="xl" aria-label={label}>
          <RowMenuDots />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={label} aria-labelledby={undefined}>
        {items.map(({ label: name, Icon, onPress, isDanger }) => (
          <Menu.Item
            key={name}
            leftSection={<Icon size={20} stroke={1.75} aria-hidden />}
            data-danger={isDanger || undefined}
            onClick={() => {
              // First, so that a dialog returns the focus here.
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
