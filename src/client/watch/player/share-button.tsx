import '#client/kit/styles/mantine-pages.css'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconCode, IconLink, IconShare3 } from '@tabler/icons-react'
import { type RefObject, useRef, useState } from 'react'
import { copyLink, LINK_COPIED, shareLink } from '#client/platform/video/share-link.ts'
import { formatDuration } from '#shared/format.ts'
import { addressAt } from './core/time-address.ts'
import classes from './share-button.module.css'
import type { PlayerHandle } from './video-player.tsx'

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const

type ShareButtonProps = {
  title: string
  path: string
  player: RefObject<PlayerHandle | null>
  /** Asks for the code to embed the video, from the second one is at. */
  onEmbed: (seconds: number) => void
}

/**
 * Hands the page's address to the device's share sheet, or puts it on the clipboard; beside it a menu
 * with the address of the place where one is.
 */
export function ShareButton({ title, path, player, onEmbed }: ShareButtonProps) {
  const [seconds, setSeconds] = useState(0)
  const opener = useRef<HTMLButtonElement>(null)
  const time = formatDuration(seconds)
  return (
    <Button.Group>
      <Button
        variant="default"
        radius="xl"
        className={classes.share}
        leftSection={<IconShare3 {...ICON} />}
        onClick={() => void shareLink({ path, title })}
      >
        Share
      </Button>
      <Menu position="bottom-end" onOpen={() => setSeconds(player.current?.time() ?? 0)}>
        <Menu.Target>
          <Button
            ref={opener}
            variant="default"
            radius="xl"
            className={classes.opener}
            aria-label="More ways to share"
          >
            <IconChevronDown size={18} aria-hidden />
          </Button>
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
          <Menu.Item
            leftSection={<IconCode {...ICON} />}
            onClick={() => {
              // First, so that the dialog gives the focus back to it.
              opener.current?.focus()
              onEmbed(seconds)
            }}
          >
            Embed and QR code
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}
