import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { passFocusOnRemoval } from '#client/platform/pass-focus-on-removal.ts'
import { MAX_BULK_VIDEOS } from '#shared/limits.ts'
import type { BulkResult, Video } from '#shared/schemas/video.schemas.ts'
import { SelectedVideos } from './selection-bar.tsx'
import { type RenderTools, StudioCard, StudioCardSkeleton } from './studio-card.tsx'
import classes from './studio-grid.module.css'
import { StudioTable } from './studio-table.tsx'

const ABOVE_FOLD = 8
const GROWING = [0, 1, 2, 3]
const SKELETONS = [...GROWING, 4, 5, 6, 7]

const EditVideoDialog = lazyPart(() => import('../edit/edit-video-dialog.tsx'))
const DeleteVideoDialog = lazyPart(() => import('../edit/delete-video-dialog.tsx'))
const BulkEditDialog = lazyPart(() => import('../edit/bulk-edit-dialog.tsx'))
const BulkDeleteDialog = lazyPart(() => import('../edit/bulk-delete-dialog.tsx'))

/** Before they are needed. */
function loadDialogs(): void {
  EditVideoDialog.preload()
  DeleteVideoDialog.preload()
}

type Dialog =
  | { kind: 'edit' | 'delete'; video: Video }
  | { kind: 'edit-many' | 'delete-many'; videos: Video[] }

type StudioGridProps = {
  videos: Video[]
  /** The next page is loading. */
  isGrowing: boolean
  /** Rows, on wide windows. */
  isTable: boolean
  renderTools: RenderTools
}

export function StudioGrid({ videos, isGrowing, isTable, renderTools }: StudioGridProps) {
  const [dialog, setDialog] = useState<Dialog>()
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set())
  const isSmall = useMediaQuery('(max-width: 767.98px)', false, { getInitialValueInEffect: false })
  const close = () => setDialog(undefined)
  const selected = videos.filter(({ id }) => marked.has(id))
  const select = (video: Video, isSelected: boolean) => {
    const next = new Set(marked)
    if (isSelected) next.add(video.id)
    else next.delete(video.id)
    setMarked(next)
  }
  const keepFailed = ({ failed }: BulkResult) => setMarked(new Set(failed.map(({ id }) => id)))
  const act = {
    renderTools,
    onEdit: (video: Video) => setDialog({ kind: 'edit', video }),
    onDelete: (video: Video) => setDialog({ kind: 'delete', video }),
    onNear: loadDialogs,
  }
  const shown = Math.min(videos.length, MAX_BULK_VIDEOS)
  return (
    <>
      {isTable && !isSmall ? (
        <StudioTable videos={videos} selected={marked} onSelect={select} {...act} />
      ) : (
        <ul className={classes.grid}>
          {videos.map((video, index) => (
            <li key={video.id} ref={passFocusOnRemoval}>
              <StudioCard
                video={video}
                isAboveFold={index < ABOVE_FOLD}
                isSelected={marked.has(video.id)}
                onSelect={(isSelected) => select(video, isSelected)}
                renderTools={renderTools}
                onEdit={() => act.onEdit(video)}
                onDelete={() => act.onDelete(video)}
                onNear={act.onNear}
              />
            </li>
          ))}
          {isGrowing &&
            GROWING.map((index) => (
              <li key={`growing-${index}`}>
                <StudioCardSkeleton />
              </li>
            ))}
        </ul>
      )}
      {selected.length > 0 && (
        <SelectedVideos
          videos={selected}
          rest={shown - selected.length}
          onSelectAll={() => setMarked(new Set(videos.slice(0, shown).map(({ id }) => id)))}
          onClear={() => setMarked(new Set())}
          onEdit={() => setDialog({ kind: 'edit-many', videos: selected })}
          onDelete={() => setDialog({ kind: 'delete-many', videos: selected })}
        />
      )}
      {dialog && (
        <StudioDialog dialog={dialog} videos={videos} onClose={close} onDone={keepFailed} />
      )}
    </>
  )
}

type StudioDialogProps = {
  dialog: Dialog
  /** Current values. */
  videos: readonly Video[]
  onClose: () => void
  onDone: (result: BulkResult) => void
}

function StudioDialog({ dialog, videos, onClose, onDone }: StudioDialogProps) {
  switch (dialog.kind) {
    case 'edit': {
      const latest = videos.find(({ id }) => id === dialog.video.id)
      return <EditVideoDialog video={latest ?? dialog.video} onClose={onClose} />
    }
    case 'delete':
      return <DeleteVideoDialog video={dialog.video} onClose={onClose} />
    case 'edit-many':
      return <BulkEditDialog videos={dialog.videos} onDone={onDone} onClose={onClose} />
    case 'delete-many':
      return <BulkDeleteDialog videos={dialog.videos} onDone={onDone} onClose={onClose} />
  }
}

export function StudioGridSkeleton() {
  return (
    <div className={classes.grid} role="status" aria-label="Loading your videos">
      {SKELETONS.map((index) => (
        <StudioCardSkeleton key={index} />
      ))}
    </div>
  )
}
