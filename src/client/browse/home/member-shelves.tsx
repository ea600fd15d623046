import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconEyeOff } from '@tabler/icons-react'
import {
  MEMBER_SHELVES,
  type MemberShelf,
  useHiddenShelves,
} from '#client/platform/hidden-shelves.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { VideoShelf } from '../video/list/video-shelf.tsx'
import { HomeShelf } from './home-shelf.tsx'

const FOLLOWED_VIDEOS = 12
const NONE: Video[] = []

type Shelf = { name: MemberShelf; videos: Video[] }

/** What a member's home page begins with; empty for visitors. A shelf that cannot be loaded is left out. */
export function useMemberShelves(): { isPending: boolean; shelves: Shelf[] } {
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  const { isHidden } = useHiddenShelves()
  const wants = (shelf: MemberShelf) => ({ enabled: Boolean(viewer) && !isHidden(shelf) })
  const unfinished = trpc.history.unfinished.useQuery(undefined, wants('unfinished'))
  const followed = trpc.video.listSubscribed.useQuery({ limit: FOLLOWED_VIDEOS }, wants('followed'))
  const begun = unfinished.data ?? NONE
  const shelves: Shelf[] = [
    { name: 'unfinished', videos: begun },
    {
      name: 'followed',
      videos: (followed.data?.items ?? NONE).filter(({ id }) =>
        begun.every((one) => one.id !== id),
      ),
    },
  ]
  return {
    isPending: unfinished.isLoading || followed.isLoading,
    shelves: viewer
      ? shelves.filter(({ name, videos }) => !isHidden(name) && videos.length > 0)
      : [],
  }
}

export function MemberShelves({ shelves }: { shelves: Shelf[] }) {
  return shelves.map(({ name, videos }) => (
    <HomeShelf key={name} title={MEMBER_SHELVES[name]} action={<HideButton name={name} />}>
      <VideoShelf videos={videos} heading="h3" />
    </HomeShelf>
  ))
}

function HideButton({ name }: { name: MemberShelf }) {
  const { setShelfHidden } = useHiddenShelves()
  const title = MEMBER_SHELVES[name]
  const hide = () => {
    setShelfHidden(name, true)
    const show = () => {
      setShelfHidden(name, false)
      notifications.clean()
    }
    notify({
      title: `'${title}' is hidden`,
      message: 'You can show it again in the settings, too.',
      action: (
        <Button variant="default" onClick={show}>
          Undo
        </Button>
      ),
    })
  }
  return (
    <Tooltip label="Hide">
      <ActionIcon variant="subtle" size="lg" aria-label={`Hide '${title}'`} onClick={hide}>
        <IconEyeOff size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
