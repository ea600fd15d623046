import { Button } from '@mantine/core'
import { IconShare3 } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { shareLink } from '#client/platform/video/share-link.ts'
import classes from './share-button.module.css'
import { SHARE_OPENER, type ShareButtonProps } from './share-opener.tsx'

const OpenedShareMenu = lazyPart(() => import('./opened-share-menu.tsx'))

/**
 * Uses the share sheet or the clipboard; its menu, loaded on hover, has the address of the current
 * time.
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
