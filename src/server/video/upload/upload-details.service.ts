import { isDeepStrictEqual } from 'node:util'
import type { Database } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { requireOpenCategory } from '#server/platform/site/site.service.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { SaveUploadDetails, UploadDetails } from '#shared/schemas/upload.schemas.ts'
import { requireOwnSquad } from '../video/video.service.ts'
import { findSquadForNew } from '../video/video-squad.queries.ts'
import { requireReceiving } from './upload.access.ts'
import { type CompleteDetails, findUpload, updateUploadDetails } from './upload.queries.ts'
import { withUploadLock } from './upload-lock.ts'

/**
 * @param input.hadSquad chosen earlier: left out, and the video private, once the member is no
 * longer in it
 * @throws `invalid` for another squad that the member is not in, or a squad with a level other than
 * `private`
 */
export async function withDefaults(
  db: Database,
  input: UploadDetails & { userId: number; hadSquad: boolean },
): Promise<CompleteDetails> {
  const { userId, hadSquad, ...details } = input
  const { anonymousByDefault } = await findSiteSettings(db)
  const isAnonymous = details.isAnonymous ?? anonymousByDefault
  const { squadId, visibility } = details
  if (squadId === null) return { ...details, isAnonymous }
  if (visibility !== null && visibility !== 'private') {
    throw new AppError('invalid', 'A video for a squad is private to everybody else.')
  }
  if (!hadSquad) await requireOwnSquad(db, { squadId, userId })
  const ownId = await findSquadForNew(db, { squadId, userId })
  return { ...details, isAnonymous, visibility: 'private', squadId: ownId }
}

/** @throws `invalid` for an unknown category */
export async function changeDetails(
  { db }: Pick<AppDeps, 'db'>,
  input: { uploadId: string; metadata: UploadDetails; viewer: Viewer },
): Promise<void> {
  const { uploadId: id, metadata, viewer } = input
  const userId = viewer.id
  const upload = await findUpload(db, { id, userId })
  await requireOpenCategory(db, metadata.category, { before: upload?.category })
  const hadSquad = upload?.squadId === metadata.squadId
  const details = await withDefaults(db, { ...metadata, userId, hadSquad })
  await updateUploadDetails(db, { id, details })
}

/** @throws `gone`, `invalid` for an unknown category, `conflict` when completed */
export async function saveDetails(
  deps: Pick<AppDeps, 'db'>,
  input: SaveUploadDetails & { viewer: Viewer },
): Promise<void> {
  await withUploadLock(deps.db, input.uploadId, async () => {
    const { uploadId, viewer, metadata, was = {} } = input
    const upload = await requireReceiving(deps, { id: uploadId, viewer })
    const { title, description, category, visibility, squadId } = upload
    const tags: string[] = JSON.parse(upload.tags)
    const isAnonymous = upload.isAnonymous === 1
    const now = { title, description, category, tags, isAnonymous, visibility, squadId }
    const hadSquad = [squadId, was.squadId].includes(metadata.squadId)
    const wish = await withDefaults(deps.db, { ...metadata, userId: viewer.id, hadSquad })
    const names = Object.keys(was) as (keyof typeof now)[]
    const untouched = names.filter((name) => isDeepStrictEqual(wish[name], was[name]))
    const kept = Object.fromEntries(untouched.map((name) => [name, now[name]]))
    requireUnchanged({ now, wish: { ...wish, ...kept }, was })
    const details = { ...wish, ...kept }
    await requireOpenCategory(deps.db, details.category, { before: category })
    await updateUploadDetails(deps.db, { id: uploadId, details })
  })
}
