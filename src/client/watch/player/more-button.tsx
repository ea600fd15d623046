import '#client/kit/styles/mantine-pages.css'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, type TablerIcon } from '@tabler/icons-react'
import { useRef } from 'react'

type MoreButtonProps = {
  items: readonly { label: string; Icon: TablerIcon; onPress: () => void }[]
}

/** What is done with a video now and then, in a menu at the end of its row. */
export function MoreButton({ items }: MoreButtonProps) {
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon ref={opener} variant="default" radius="xl" aria-label="More actions">
          <IconDots size={20} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label="More actions" aria-labelledby={undefined}>
        {items.map(({ label, Icon, onPress }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon size={20} stroke={1.75} aria-hidden />}
            onClick={() => {
              // First, so that a dialog that this opens gives the focus back to it.
              opener.current?.focus()
              onPress()
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
