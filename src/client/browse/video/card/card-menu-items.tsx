import { useSignInLink } from '#client/platform/sign-in-link.ts'
import '#client/kit/styles/mantine-pages.css'
import { Menu, type MenuItemProps } from '@mantine/core'
import {
  IconClock,
  IconCornerDownRight,
  IconEyeOff,
  IconLogin2,
  IconPin,
  IconPlaylist,
  IconPlaylistAdd,
  IconShare3,
} from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import AdminItems from '#client/kit/admin/admin-items.tsx'
import { canSendVideo } from '#client/kit/sharing/share-rights.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { shareLink } from '#client/platform/video/share-link.ts'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { addToQueue, ENTRIES_MAX } from '../../queue/own-queue.ts'
import { TakeOutItem } from '../../squad/take-out-item.tsx'

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const

const MenuLink = createLink((props: MenuItemProps & ComponentProps<'a'>) => (
  <Menu.Item component="a" {...props} />
))

type CardMenuItemsProps = {
  video: Video
  onPick: () => void
  /** Opens the dialog in which members send the video to their squads. */
  onShare: () => void
  onHide: ((isHidden: boolean) => void) | undefined
  focusOpener: () => void
}

/** Created when the menu opens. */
export function CardMenuItems({ video, onPick, onShare, ...props }: CardMenuItemsProps) {
  const { onHide, focusOpener } = props
  const signIn = useSignInLink()
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  const { joined = [] } =
    trpc.squad.mine.useQuery(undefined, { enabled: Boolean(viewer) }).data ?? {}
  const utils = trpc.useUtils()
  const watchLater = trpc.playlist.addToWatchLater.useMutation({
    onSuccess: async () => {
      notify({ title: 'Saved to Watch later', message: video.title })
      await utils.playlist.invalidate()
    },
    onError: (error) => failed('The video could not be saved', error),
  })
  const hide = trpc.video.hide.useMutation({
    onError: (error) => {
      onHide?.(false)
      failed('The video could not be hidden', error)
    },
  })
  const pin = trpc.moderation.pinVideo.useMutation({
    onSuccess: async () => {
      notify({ title: 'Pinned to the home page', message: video.title })
      await utils.explore.pinned.invalidate()
    },
    onError: (error) => failed('The video could not be pinned', error),
  })
  const notInterested = () => {
    hide.mutate({ id: video.id })
    onHide?.(true)
  }
  const share = () => void shareLink({ path: `/video/${video.id}`, title: video.title })
  if (!viewer) {
    return (
      <>
        <QueueItems video={video} />
        <MenuLink {...signIn} leftSection={<IconLogin2 {...ICON} />}>
          Sign in to save
        </MenuLink>
        <ShareItem onClick={share} />
      </>
    )
  }
  return (
    <>
      <QueueItems video={video} />
      <Menu.Item
        leftSection={<IconClock {...ICON} />}
        onClick={() => watchLater.mutate({ videoId: video.id })}
      >
        Watch later
      </Menu.Item>
      <Menu.Item leftSection={<IconPlaylistAdd {...ICON} />} onClick={onPick}>
        Add to playlist
      </Menu.Item>
      <ShareItem onClick={joined.length > 0 && canSendVideo(video, viewer) ? onShare : share} />
      {onHide && viewer.id !== video.userId && (
        <Menu.Item leftSection={<IconEyeOff {...ICON} />} onClick={notInterested}>
          Not interested
        </Menu.Item>
      )}
      {video.squad && viewer.id !== video.userId && (
        <TakeOutItem video={video} squad={video.squad} />
      )}
      {viewer.isAdmin && (
        <Menu.Item leftSection={<IconPin {...ICON} />} onClick={() => pin.mutate({ id: video.id })}>
          Pin to the home page
        </Menu.Item>
      )}
      {viewer.isAdmin && (
        <AdminItems subject={{ video }} viewerId={viewer.id} onChoose={focusOpener} />
      )}
    </>
  )
}

function QueueItems({ video }: { video: Video }) {
  const add = (place: 'next' | 'last') => {
    const message = video.title
    switch (addToQueue(video, place)) {
      case 'added':
        return notify({ title: place === 'next' ? 'Plays next' : 'Added to the queue', message })
      case 'playing':
        return notify({ title: 'Played from the queue just now', message })
      case 'full':
        return notify({
          tone: 'error',
          title: 'The queue is full',
          message: `It holds ${ENTRIES_MAX} videos. Remove some or clear it first.`,
        })
    }
  }
  return (
    <>
      <Menu.Item leftSection={<IconCornerDownRight {...ICON} />} onClick={() => add('next')}>
        Play next
      </Menu.Item>
      <Menu.Item leftSection={<IconPlaylist {...ICON} />} onClick={() => add('last')}>
        Add to queue
      </Menu.Item>
    </>
  )
}

function ShareItem({ onClick }: { onClick: () => void }) {
  return (
    <Menu.Item leftSection={<IconShare3 {...ICON} />} onClick={onClick}>
      Share
    </Menu.Item>
  )
}

function failed(title: string, error: unknown): void {
  notify({ tone: 'error', title, message: serverSentence(error) })
}
