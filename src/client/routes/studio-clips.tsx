import { IconLink, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { useSession } from '../account/auth/use-session.ts'
import { ClipGrid, ClipGridSkeleton } from '../browse/clip/clip-list.tsx'
import { howToClip } from '../browse/clip/how-to-clip.ts'
import { OWN_CLIPS } from '../browse/queue/clip-queue-key.ts'
import { PlayAll } from '../browse/queue/play-all.tsx'
import { ExportClips } from '../create/montage/export-clips.tsx'
import { LinkButton } from '../kit/control/link-button.tsx'
import { FilmDrawing } from '../kit/drawings/film-drawing.tsx'
import { EmptyState } from '../kit/list/empty-state.tsx'
import { lazyPart } from '../kit/list/lazy-part.tsx'
import { LoadError } from '../kit/list/load-error.tsx'
import { RowMenu } from '../kit/menu/row-menu.tsx'
import { errorSentence } from '../platform/error-message.ts'
import { copyLink, LINK_COPIED } from '../platform/video/share-link.ts'
import { trpc } from '../trpc.ts'
import { useSaveClip } from '../watch/clip/use-save-clip.tsx'

const RenameClipDialog = lazyPart(() => import('../watch/clip/rename-clip-dialog.tsx'))
const DeleteClipDialog = lazyPart(() => import('../watch/clip/delete-clip-dialog.tsx'))

export default function StudioClips() {
  const viewer = useSession()
  const clips = trpc.clip.mine.useInfiniteQuery({}, nextPage)
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
      <div className={row(8, 'wrap', 'between', 'touch', 'below8')}>
        <h2 className={look('heading')}>Your clips</h2>
        <ExportClips clips={items} hasMore={clips.hasNextPage} viewerId={viewer?.id} />
        {items.length > 1 && <PlayAll list={OWN_CLIPS} videos={items} noun="clip" isQuiet />}
      </div>
      <ClipGrid
        clips={items}
        list={OWN_CLIPS}
        query={clips}
        renderMenu={(clip) => <ClipMenu clip={clip} viewerId={viewer?.id} />}
      />
    </>
  )
}

type ClipMenuProps = { clip: Clip; viewerId: number | undefined }

function ClipMenu({ clip, viewerId }: ClipMenuProps) {
  const save = useSaveClip(clip, viewerId)
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
          ...save,
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
      {howToClip()} while you watch, and the last seconds become a clip of your own.
    </EmptyState>
  )
}
