import { IconChevronDown, IconCode, IconLink, IconShare3 } from '@tabler/icons-react'
import { type RefObject, useRef, useState } from 'react'
import { formatDuration } from '#shared/format.ts'
import { Button } from '../../components/button.tsx'
import { copyLink, LINK_COPIED, shareLink } from '../../lib/share-link.ts'
import { addressAt } from './core/time-address.ts'
import { Menu, MenuItem } from './menu/menu.tsx'
import { useOutsidePress } from './menu/use-outside-press.ts'
import classes from './share-button.module.css'
import type { PlayerHandle } from './video-player.tsx'

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
  const [openedAt, setOpenedAt] = useState<number | null>(null)
  const rootRef = useRef<HTMLDivElement>(null)
  const openerRef = useRef<HTMLButtonElement>(null)
  const close = () => setOpenedAt(null)
  useOutsidePress(rootRef, close)
  const closeAndReturn = () => {
    close()
    openerRef.current?.focus()
  }
  const copy = (address: string, message: string) => () => {
    closeAndReturn()
    void copyLink(address, message)
  }
  return (
    <div className={classes.root} ref={rootRef}>
      <Button
        variant="default"
        className={classes.share}
        icon={<IconShare3 size={20} stroke={1.75} aria-hidden />}
        onClick={() => void shareLink({ path, title })}
      >
        Share
      </Button>
      <Button
        ref={openerRef}
        variant="default"
        className={classes.opener}
        aria-label="More ways to share"
        aria-haspopup="menu"
        aria-expanded={openedAt !== null}
        onClick={() => setOpenedAt(openedAt === null ? (player.current?.time() ?? 0) : null)}
      >
        <IconChevronDown size={18} aria-hidden />
      </Button>
      {openedAt !== null && (
        <div className={classes.menu}>
          <Menu label="Share" onClose={closeAndReturn}>
            <MenuItem
              icon={<IconLink size={20} aria-hidden />}
              label="Copy link"
              onPress={copy(path, LINK_COPIED)}
            />
            <MenuItem
              icon={<IconLink size={20} aria-hidden />}
              label={`Copy link at ${formatDuration(openedAt)}`}
              onPress={copy(
                addressAt(path, openedAt),
                `Video link at ${formatDuration(openedAt)} copied to clipboard.`,
              )}
            />
            <MenuItem
              icon={<IconCode size={20} aria-hidden />}
              label="Embed and QR code"
              onPress={() => {
                closeAndReturn()
                onEmbed(openedAt)
              }}
            />
          </Menu>
        </div>
      )}
    </div>
  )
}
