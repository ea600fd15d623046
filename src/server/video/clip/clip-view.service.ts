import { type Database, writeQuietly } from '#server/platform/db/database.ts'
import { NETWORK_VIEWS_MAX, VIEW_SECONDS } from '../view/view.service.ts'
import type { Asking, Viewers } from '../view/viewers.ts'
import { requireClipOwner } from './clip.service.ts'
import { addClipView, countRecentClipViews, insertClipView } from './clip-view.queries.ts'

/**
 * A view is 10 seconds or half the clip, once per viewer in 6 hours, never its maker's. See
 * docs/decisions/0022-views-and-heat.md.
 */
export async function reportClipProgress(
  { db, viewers }: { db: Database; viewers: Viewers },
  input: { id: number; watchedSeconds: number } & Asking,
): Promise<{ viewCounted: boolean }> {
  const { id: clipId, viewer } = input
  const clip = await requireClipOwner(db, { id: clipId, viewer })
  const { key: viewerKey, network } = await viewers.keyOf(input)
  const { watchedSeconds } = input
  const { passed } = await viewers.follow(viewerKey, { subject: `clip ${clipId}`, watchedSeconds })
  const enough = Math.min(VIEW_SECONDS, (clip.endSeconds - clip.startSeconds) / 2)
  if (Math.min(watchedSeconds, passed) < enough || clip.userId === viewer?.id) {
    return { viewCounted: false }
  }
  return writeQuietly(db, async (transaction) => {
    const isCrowd =
      network !== undefined &&
      (await countRecentClipViews(transaction, { clipId, network })) >= NETWORK_VIEWS_MAX
    if (isCrowd || !(await insertClipView(transaction, { clipId, viewerKey }))) {
      return { viewCounted: false }
    }
    await addClipView(transaction, clipId)
    return { viewCounted: true }
  })
}
