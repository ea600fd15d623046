import { IconLink, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { ClipGrid, ClipGridSkeleton } from '../browse/clip/clip-list.tsx'
import { LinkButton } from '../kit/control/link-button.tsx'
import { FilmDrawing } from '../kit/drawings/film-drawing.tsx'
import { EmptyState } from '../kit/list/empty-state.tsx'
import { lazyPart } from '../kit/list/lazy-part.tsx'
import { LoadError } from '../kit/list/load-error.tsx'
import { RowMenu } from '../kit/menu/row-menu.tsx'
import { errorSentence } from '../platform/error-message.ts'
import { copyLink, LINK_COPIED } from '../platform/video/share-link.ts'
import { trpc } from '../trpc.ts'

const RenameClipDialog = lazyPart(() => import('../watch/clip/rename-clip-dialog.tsx'))
const DeleteClipDialog = lazyPart(() => import('../watch/clip/delete-clip-dialog.tsx'))

/** One's own clips in the studio, to rename, share and delete. */
export default function StudioClips() {
  const clips = trpc.clip.mine.useInfiniteQuery(
    {},
    { getNextPageParam: (page) => page.nextCursor ?? undefined },
  )
  const items = clips.data?.pages.flatMap((page) => page.items)
  if (clips.isPending) return <ClipGridSkeleton />
  if (!items) {
    return (
      <LoadError
        text={`Error loading clips: ${errorSentence(clips.error)}`}
        error={clips.error}
        onRetry={() => void clips.refetch()}
      />
    )
  }
  if (items.length === 0) return <NoClips />
  return (
    <>
      <h2 className="visually-hidden">Your clips</h2>
      <ClipGrid clips={items} query={clips} renderMenu={(clip) => <ClipMenu clip={clip} />} />
    </>
  )
}

function ClipMenu({ clip }: { clip: Clip }) {
  const [opened, setOpened] = useState<'rename' | 'delete'>()
  const close = () => setOpened(undefined)
  return (
    <>
      <RowMenu
        label={`Actions for ${clip.title}`}
        variant="subtle"
        items={[
          {
            ...{ label: 'Copy link', Icon: IconLink },
            onPress: () => void copyLink(`/clip/${clip.id}`, LINK_COPIED),
          },
          { label: 'Rename', Icon: IconPencil, onPress: () => setOpened('rename') },
          {
            ...{ label: 'Delete', Icon: IconTrash, isDanger: true },
            onPress: () => setOpened('delete'),
          },
        ]}
      />
      {opened === 'rename' && <RenameClipDialog clip={clip} onClose={close} />}
      {opened === 'delete' && (
        <DeleteClipDialog clip={clip} onDeleted={() => undefined} onClose={close} />
      )}
    </>
  )
}

function NoClips() {
  return (
    <EmptyState
      heading="h2"
      drawing={<FilmDrawing />}
      title="No clips yet"
      action={<LinkButton to="/">Find a video</LinkButton>}
    >
      Press C while you watch, and the last seconds become a clip of your own.
    </EmptyState>
  )
}
