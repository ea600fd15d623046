import { setImmediate } from 'node:timers/promises'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { TAGS_MAX } from '#shared/limits.ts'
import type { BulkResult, EditVideos } from '#shared/schemas/video.schemas.ts'
import { requireEditable } from './video.access.ts'
import { editVideo, requireVideo, requireVideoOwner } from './video.service.ts'
import { deleteVideo } from './video-deletion.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'media' | 'jobs' | 'live' | 'limits'>

/** @throws `too-many` per minute */
export async function editVideos(
  deps: Deps,
  input: EditVideos & { viewer: Viewer },
): Promise<BulkResult> {
  const { ids, addTags = [], removeTags = [], viewer, ...change } = input
  const changesTags = addTags.length > 0 || removeTags.length > 0
  return eachVideo(deps, { ids, viewer }, async (id) => {
    const { db } = deps
    requireEditable(await requireVideoOwner(db, { id, viewer }), viewer)
    const { tags } = await requireVideo(db, { id, viewer })
    const merged = changesTags ? mergeTags(tags, { addTags, removeTags }) : undefined
    await editVideo(deps, { id, viewer, ...change, ...(merged && { tags: merged, was: { tags } }) })
  })
}

/** @throws `too-many` per minute */
export async function deleteVideos(
  deps: Deps,
  input: { ids: number[]; viewer: Viewer },
): Promise<BulkResult> {
  const { ids, viewer } = input
  return eachVideo(deps, { ids, viewer }, (id) => deleteVideo(deps, { id, viewer }))
}

async function eachVideo(
  { limits }: Deps,
  { ids, viewer }: { ids: number[]; viewer: Viewer },
  work: (id: number) => Promise<unknown>,
): Promise<BulkResult> {
  await limits.bulkVideos.count(`member-${viewer.id}`, ids.length)
  const result: BulkResult = { done: [], failed: [] }
  for (const id of ids) {
    try {
      await work(id)
      result.done.push(id)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      result.failed.push({ id, sentence: error.message })
    }
    await setImmediate()
  }
  return result
}

/** @throws `invalid` with too many tags */
function mergeTags(
  tags: string[],
  { addTags, removeTags }: { addTags: string[]; removeTags: string[] },
): string[] {
  const removedTags = new Set(removeTags.map((tag) => tag.toLowerCase()))
  const remaining = tags.filter((tag) => !removedTags.has(tag.toLowerCase()))
  const known = new Set(remaining.map((tag) => tag.toLowerCase()))
  const merged = [...remaining, ...addTags.filter((tag) => !known.has(tag.toLowerCase()))]
  if (merged.length <= TAGS_MAX) return merged
  throw new AppError('invalid', `A video has at most ${TAGS_MAX} tags.`)
}
