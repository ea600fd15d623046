import { inTransaction } from '#server/platform/db/database.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import { requireOpenCategory } from '#server/platform/site/site.service.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { updateVideo, type VideoChange } from '#server/video/video/video.queries.ts'
import type { EditModeratedVideo } from '#shared/schemas/desk/moderation.schemas.ts'
import {
  logVideo,
  type Moderated,
  notifyUploader,
  requireModerated,
  type Services,
} from './moderation.service.ts'

/** @throws `invalid` for an unknown category, `conflict` without a change */
export async function editModeratedVideo(
  { db, live }: Services,
  input: EditModeratedVideo & { viewer: Viewer },
): Promise<void> {
  const { id, reason, viewer } = input
  const notified = await inTransaction(db, async (transaction) => {
    const video = await requireModerated(transaction, id)
    await requireOpenCategory(transaction, input.category, { before: video.category })
    const now = { ...video, tags: JSON.parse(video.tags) as string[] }
    requireUnchanged({ now, wish: input, was: input.was })
    const { change, notes } = changesOf(video, input)
    if (notes.length === 0) throw new AppError('conflict', 'There is nothing to change.')
    await updateVideo(transaction, { id, change })
    const what = notes.join(', ')
    await logVideo(transaction, {
      video,
      action: 'video.edit',
      viewer,
      reason: `${reason} (${what})`,
    })
    const title = 'Your video was edited'
    const message = `"${video.title}": ${reason} (${what})`
    return notifyUploader(transaction, { video, title, message, actor: viewer })
  })
  live.announce(notified)
}

function changesOf(video: Moderated, wish: EditModeratedVideo) {
  const { title, description, category } = wish
  const tags = wish.tags && JSON.stringify(wish.tags)
  const change: VideoChange = {}
  const notes: string[] = []
  if (title !== undefined && title !== video.title) {
    change.title = title
    notes.push(`title: "${title}"`)
  }
  if (description !== undefined && description !== video.description) {
    change.description = description
    notes.push('another description')
  }
  if (category !== undefined && category !== video.category) {
    change.category = category
    notes.push(`game: ${category}`)
  }
  if (tags !== undefined && tags !== video.tags) {
    change.tags = tags
    notes.push('other tags')
  }
  return { change, notes }
}
