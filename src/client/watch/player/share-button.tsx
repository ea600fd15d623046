import { Button } from '@mantine/core'
import { IconChevronDown, IconShare3 } from '@tabler/icons-react'
import { type RefObject, useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { shareLink } from '#client/platform/video/share-link.ts'
import classes from './share-button.module.css'
import type { PlayerHandle } from './video-player.tsx'

const OpenedShareMenu = lazyPart(() => import('./opened-share-menu.tsx'))

export type ShareButtonProps = {
  title: string
  path: string
  player: RefObject<PlayerHandle | null>
  /** Asks for the code to embed the video, from the second one is at. */
  onEmbed: (seconds: number) => void
}

/** Of the button that opens the menu, before and after it was fetched. */
export const SHARE_OPENER = {
  variant: 'default',
  radius: 'xl',
  className: classes.opener,
  'aria-label': 'More ways to share',
  children: <IconChevronDown size={18} aria-hidden />,
} as const

/**
 * Hands the page's address to the device's share sheet, or puts it on the clipboard; beside it a menu
 * with the address of the place where one is, which is loaded when it is pointed at.
 */
export function ShareButton(props: ShareButtonProps) {
  const { title, path } = props
  const [isWanted, setWanted] = useState(false)
  const opener = (
    <Button
      {...SHARE_OPENER}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={OpenedShareMenu.preload}
      onFocus={OpenedShareMenu.preload}
      onClick={() => setWanted(true)}
    />
  )
  return (
    <Button.Group>
      <Button
        variant="default"
        radius="xl"
        className={classes.share}
        leftSection={<IconShare3 size={20} stroke={1.75} aria-hidden />}
        onClick={() => void shareLink({ path, title })}
      >
        Share
      </Button>
      {isWanted ? (
        <OpenedShareMenu {...props} standIn={opener} onClose={() => setWanted(false)} />
      ) : (
        opener
      )}
    </Button.Group>
  )
}
