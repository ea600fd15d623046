import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { SQUAD_VIEW_MIN } from '#shared/squad-views.ts'
import type { StoredRecording } from './squad-view.queries.ts'

export const NO_SUCH_VIEW = 'This squad view could not be found, or you may not watch it.'

/** Owners of recordings that are in it or shall be, so that they can judge. Not admins. */
export function mayEdit(rows: readonly StoredRecording[], viewer: Viewer | undefined): boolean {
  return rows.some(({ userId, state }) => userId === viewer?.id && state !== 'declined')
}

/** Nobody sees a recording because it is in a view. With fewer than two there is no view. */
export function selectShown(
  rows: readonly StoredRecording[],
  { videos, viewer }: { videos: ReadonlyMap<number, Video>; viewer: Viewer | undefined },
): (StoredRecording & { video: Video })[] {
  const isEditor = mayEdit(rows, viewer)
  const shown = rows.flatMap((row) => {
    const video = videos.get(row.videoId)
    const isOpen = row.state === 'in' && row.offsetSeconds !== null && row.isPlayable
    return video && row.state !== 'declined' && (isOpen || isEditor) ? [{ ...row, video }] : []
  })
  return shown.length < SQUAD_VIEW_MIN ? [] : shown
}

const ownsOneIn = (rows: readonly StoredRecording[], viewer: Viewer | undefined) =>
  rows.some(({ userId, state }) => userId === viewer?.id && state === 'in')

/** The owner of a recording that was asked for, and owners in the view of one that was offered. */
export function mayAnswer(
  row: StoredRecording,
  { rows, viewer }: { rows: readonly StoredRecording[]; viewer: Viewer | undefined },
): boolean {
  if (row.state === 'asked') return row.userId === viewer?.id
  return row.state === 'offered' && ownsOneIn(rows, viewer)
}

/** Its owner at any time; others may take back that they asked. */
export function mayRemove(
  row: StoredRecording,
  { rows, viewer }: { rows: readonly StoredRecording[]; viewer: Viewer | undefined },
): boolean {
  return row.userId === viewer?.id || (row.state === 'asked' && ownsOneIn(rows, viewer))
}

/** @throws `forbidden` unless the viewer owns a recording that is in the view */
export function requireOwnsOne(rows: readonly StoredRecording[], viewer: Viewer): void {
  if (ownsOneIn(rows, viewer)) return
  throw new AppError('forbidden', 'Only those whose recordings are in this squad view can do this.')
}
