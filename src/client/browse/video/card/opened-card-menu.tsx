import '#client/kit/styles/mantine-pages.css'
import { Menu, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useOpenAtOnce } from '#client/kit/control/use-open-at-once.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { CardMenuItems } from './card-menu-items.tsx'
import classes from './opened-card-menu.module.css'

const PlaylistPicker = lazyPart(() => import('../save/playlist-picker.tsx'))

type OpenedCardMenuProps = {
  video: Video
  label: string
  className: string
  onHide: ((isHidden: boolean) => void) | undefined
  onClose: () => void
}

/** After the first press; a sheet on phones. */
export default function OpenedCardMenu({ video, label, className, onHide }: OpenedCardMenuProps) {
  const { target, opened, setOpened } = useOpenAtOnce()
  const [isPicking, setPicking] = useState(false)
  const pick = () => {
    // First, so that the dialog returns the focus here.
    target.current?.focus()
    setPicking(true)
  }
  return (
    <>
      <Menu
        opened={opened}
        onChange={setOpened}
        position="bottom-end"
        width={232}
        withOverlay
        overlayProps={{ className: classes.backdrop }}
      >
        <Menu.Target>
          <UnstyledButton ref={target} className={className} aria-label={label} />
        </Menu.Target>
        <Menu.Dropdown className={classes.menu} aria-label={label} aria-labelledby={undefined}>
          <CardMenuItems
            {...{ video, onHide }}
            onPick={pick}
            focusOpener={() => target.current?.focus()}
          />
        </Menu.Dropdown>
      </Menu>
      {isPicking && <PlaylistPicker video={video} onClose={() => setPicking(false)} />}
    </>
  )
}
