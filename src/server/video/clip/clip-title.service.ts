import type { Database } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { SuggestClipTitle } from '#shared/schemas/clip.schemas.ts'
import { canManage } from '../video/video.access.ts'
import { requireVideo } from '../video/video.service.ts'
import {
  listClipTitles,
  listMomentTitles,
  listPlayerNames,
  listTimedTexts,
} from './clip-title.queries.ts'
import { suggestTitles } from './clip-title.ts'

/**
 * Returns the best title first. Titles that a recorder gave are used only for the owner of the
 * video and admins.
 */
export async function suggestClipTitles(
  db: Database,
  input: SuggestClipTitle & { viewer: Viewer },
): Promise<string[]> {
  const { videoId, startSeconds: start, endSeconds: end, viewer } = input
  const video = await requireVideo(db, { id: videoId, viewer })
  const isOwn = video.userId !== null && canManage({ userId: video.userId }, viewer)
  const comments = await listTimedTexts(db, videoId)
  const players = await listPlayerNames(db, videoId)
  const moments = isOwn ? await listMomentTitles(db, input) : []
  const taken = await listClipTitles(db, videoId)
  return suggestTitles({ ...video, comments, players, moments, taken }, { start, end })
}
