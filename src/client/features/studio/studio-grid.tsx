import { lazy, Suspense, useState } from 'react'
import type { Video } from '#shared/video.schemas.ts'
import { handFocusOn } from '../../lib/hand-focus-on.ts'
import { StudioCard, StudioCardSkeleton } from './studio-card.tsx'
import classes from './studio-grid.module.css'

const ABOVE_FOLD = 8
const GROWING = [0, 1, 2, 3]
const SKELETONS = [...GROWING, 4, 5, 6, 7]

const loadEdit = () => import('./edit-video-dialog.tsx')
const loadDelete = () => import('./delete-video-dialog.tsx')
const EditVideoDialog = lazy(loadEdit)
const DeleteVideoDialog = lazy(loadDelete)

/** Both dialogs are on their way before they are asked for. */
function loadDialogs(): void {
  void loadEdit()
  void loadDelete()
}

type StudioGridProps = {
  videos: Video[]
  /** Videos of the next page are on their way. */
  isGrowing: boolean
}

/** One's own videos, and the dialogs that change them. */
export function StudioGrid({ videos, isGrowing }: StudioGridProps) {
  const [dialog, setDialog] = useState<{ kind: 'edit' | 'delete'; video: Video }>()
  const close = () => setDialog(undefined)
  return (
    <>
      <ul className={classes.grid}>
        {videos.map((video, index) => (
          <li key={video.id} ref={handFocusOn}>
            <StudioCard
              video={video}
              isAboveFold={index < ABOVE_FOLD}
              onEdit={() => setDialog({ kind: 'edit', video })}
              onDelete={() => setDialog({ kind: 'delete', video })}
              onNear={loadDialogs}
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
      <Suspense>
        {dialog?.kind === 'edit' && <EditVideoDialog video={dialog.video} onClose={close} />}
        {dialog?.kind === 'delete' && <DeleteVideoDialog video={dialog.video} onClose={close} />}
      </Suspense>
    </>
  )
}

/** The grid before anything is known of it. */
export function StudioGridSkeleton() {
  return (
    <div className={classes.grid} role="status" aria-label="Loading your videos">
      {SKELETONS.map((index) => (
        <StudioCardSkeleton key={index} />
      ))}
    </div>
  )
}
