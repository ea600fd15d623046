import '#client/kit/styles/mantine-pages.css'
import { Button, Menu } from '@mantine/core'
import { IconCode, IconLink, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useOpenAtOnce } from '#client/kit/control/use-open-at-once.ts'
import { copyLink, LINK_COPIED } from '#client/platform/video/share-link.ts'
import { formatDuration } from '#shared/text/format.ts'
import { addressAt } from './core/time-address.ts'
import { SHARE_OPENER, type ShareButtonProps } from './share-opener.tsx'
import { listStillActs } from './still/still-acts.tsx'

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const

/** Replaces the opener after the first press. */
export default function OpenedShareMenu(props: ShareButtonProps & { onClose: () => void }) {
  const { path, player, hasLinks, canSend, onEmbed } = props
  const { target, opened, setOpened } = useOpenAtOnce()
  const [seconds, setSeconds] = useState(() => player.current?.time() ?? 0)
  const time = formatDuration(seconds)
  const shown = player.current?.player
  const openDialog = (at: number) => {
    // Focused first, so that the dialog returns the focus here.
    target.current?.focus()
    onEmbed(at)
  }
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      onOpen={() => setSeconds(player.current?.time() ?? 0)}
    >
      <Menu.Target>
        <Button ref={target} {...SHARE_OPENER} />
      </Menu.Target>
      <Menu.Dropdown aria-label="Share" aria-labelledby={undefined}>
        <Menu.Item
          leftSection={<IconLink {...ICON} />}
          onClick={() => void copyLink(path, LINK_COPIED)}
        >
          Copy link
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLink {...ICON} />}
          onClick={() =>
            void copyLink(addressAt(path, seconds), `Video link at ${time} copied to clipboard.`)
          }
        >
          Copy link at {time}
        </Menu.Item>
        {shown &&
          listStillActs().map(({ label, Icon, act }) => (
            <Menu.Item key={label} leftSection={<Icon {...ICON} />} onClick={() => void act(shown)}>
              {label}
            </Menu.Item>
          ))}
        {canSend && (
          <Menu.Item leftSection={<IconSend {...ICON} />} onClick={() => openDialog(0)}>
            Send to a squad
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconCode {...ICON} />} onClick={() => openDialog(seconds)}>
          {hasLinks ? 'Share links, embed and QR code' : 'Embed and QR code'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
