import '#client/kit/styles/mantine-pages.css'
import { Menu, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useOpenAtOnce } from '#client/kit/control/use-open-at-once.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { linksOf } from '#client/kit/sharing/share-rights.ts'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { CardMenuItems } from './card-menu-items.tsx'
import classes from './opened-card-menu.module.css'

const PlaylistPicker = lazyPart(() => import('../save/playlist-picker.tsx'))
const ShareDialog = lazyPart(() => import('#client/kit/sharing/share-dialog.tsx'))

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
  const [dialog, setDialog] = useState<'playlists' | 'share'>()
  const viewer = trpc.auth.currentUser.useQuery().data ?? null
  const open = (one: 'playlists' | 'share') => {
    // First, so that the dialog returns the focus here.
    target.current?.focus()
    setDialog(one)
  }
  const close = () => setDialog(undefined)
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
            onPick={() => open('playlists')}
            onShare={() => open('share')}
            focusOpener={() => target.current?.focus()}
          />
        </Menu.Dropdown>
      </Menu>
      {dialog === 'playlists' && <PlaylistPicker video={video} onClose={close} />}
      {dialog === 'share' && (
        <ShareDialog
          video={video}
          canSend
          hasShareSheet
          atSeconds={0}
          links={linksOf(video, viewer)}
          onClose={close}
        />
      )}
    </>
  )
}
