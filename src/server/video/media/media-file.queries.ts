import type { Insertable } from 'kysely'
import { type Database, type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import type {
  MediaFilesTable,
  RenditionsTable,
  SoundTracksTable,
} from '#server/platform/db/tables/video.ts'
import { AppError } from '#server/platform/errors.ts'
import type { SoundKind } from '#shared/sound-tracks.ts'
import { addressKey } from '../video/media-address.ts'

export type NewMediaFile = Pick<MediaFilesTable, 'name' | 'kind' | 'bytes' | 'sha256'> &
  Partial<Pick<MediaFilesTable, 'makerId'>>

/** `retiredAt` of a file in deletion, which cannot be published. */
export const BEING_DELETED = timestamp(new Date(0))

/** After the files are stored. See docs/decisions/0008-served-files-are-rows.md. */
export async function insertMediaFiles(
  db: DatabaseTransaction,
  input: { videoId: number; files: NewMediaFile[] },
): Promise<void> {
  const { videoId, files } = input
  if (files.length === 0) return
  await db
    .insertInto('mediaFiles')
    .values(files.map((file) => ({ videoId, ...file })))
    .execute()
}

/** Bytes count at once; the janitor deletes the files unless `updateComingFiles` follows. */
export async function insertComingFiles(
  db: DatabaseTransaction,
  input: { videoId: number; files: NewMediaFile[] },
): Promise<void> {
  const { videoId, files } = input
  const retiredAt = timestamp()
  await db
    .insertInto('mediaFiles')
    .values(files.map((file) => ({ videoId, ...file, retiredAt })))
    .execute()
  const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0)
  await db
    .updateTable('videos')
    .set((eb) => ({ storageBytes: eb('storageBytes', '+', bytes) }))
    .where('id', '=', videoId)
    .execute()
}

/** @throws `conflict` when one has been or is being deleted */
export async function updateComingFiles(
  db: DatabaseTransaction,
  input: { videoId: number; names: string[] },
): Promise<void> {
  const { videoId, names } = input
  if (names.length === 0) return
  const result = await db
    .updateTable('mediaFiles')
    .set({ retiredAt: null })
    .where('videoId', '=', videoId)
    .where('name', 'in', names)
    .where((eb) => eb.or([eb('retiredAt', 'is', null), eb('retiredAt', '>', BEING_DELETED)]))
    .executeTakeFirst()
  if (Number(result.numUpdatedRows) === names.length) return
  throw new AppError('conflict', 'This video was changed meanwhile. Please try again.')
}

export async function listCaptions(db: Database, videoId: number) {
  return db
    .selectFrom('captions')
    .select(['id', 'language', 'label', 'file'])
    .where('videoId', '=', videoId)
    .orderBy('label')
    .execute()
}

export async function retireOtherFiles(
  db: DatabaseTransaction,
  input: { videoId: number; kinds: MediaFilesTable['kind'][]; keep: string[] },
): Promise<void> {
  await db
    .updateTable('mediaFiles')
    .set({ retiredAt: timestamp() })
    .where('videoId', '=', input.videoId)
    .where('kind', 'in', input.kinds)
    .where('name', 'not in', input.keep)
    // Clips have their own.
    .where('name', 'not like', 'clip-%')
    .where('retiredAt', 'is', null)
    .execute()
}

export async function retireClipFiles(db: DatabaseTransaction, videoId: number): Promise<void> {
  await db
    .updateTable('mediaFiles')
    .set({ retiredAt: timestamp() })
    .where('videoId', '=', videoId)
    .where('makerId', 'is not', null)
    .where('retiredAt', 'is', null)
    .execute()
}

/** Served for another day. */
export async function retireMediaFile(
  db: DatabaseTransaction,
  input: { videoId: number; name: string },
): Promise<void> {
  await db
    .updateTable('mediaFiles')
    .set({ retiredAt: timestamp() })
    .where('videoId', '=', input.videoId)
    .where('name', '=', input.name)
    .execute()
}

export async function listFilesByName(db: Database, input: { videoId: number; names: string[] }) {
  if (input.names.length === 0) return []
  return db
    .selectFrom('mediaFiles')
    .select(['name', 'bytes'])
    .where('videoId', '=', input.videoId)
    .where('name', 'in', input.names)
    .execute()
}

export async function replaceLadder(
  db: DatabaseTransaction,
  input: {
    videoId: number
    renditions: Omit<Insertable<RenditionsTable>, 'videoId'>[]
    soundTracks: Omit<Insertable<SoundTracksTable>, 'videoId'>[]
  },
): Promise<void> {
  const { videoId, renditions, soundTracks } = input
  await db.deleteFrom('renditions').where('videoId', '=', videoId).execute()
  await db.deleteFrom('soundTracks').where('videoId', '=', videoId).execute()
  for (const rendition of renditions) {
    await db
      .insertInto('renditions')
      .values({ videoId, ...rendition })
      .execute()
  }
  for (const track of soundTracks) {
    await db
      .insertInto('soundTracks')
      .values({ videoId, ...track })
      .execute()
  }
}

export async function findPlaybackColumns(db: Database, videoId: number) {
  return db
    .selectFrom('videos')
    .select([addressKey.as('addressKey'), 'shareUrl', 'loudnessLufs', 'soundLanguage'])
    .where('id', '=', videoId)
    .executeTakeFirstOrThrow()
}

export async function findWaveform(db: Database, videoId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('mediaFiles')
    .select('name')
    .where('videoId', '=', videoId)
    .where('kind', '=', 'storyboard')
    .where('name', 'like', '%.bin')
    .where('retiredAt', 'is', null)
    .executeTakeFirst()
  return row?.name
}

export async function listRenditions(db: Database, videoId: number) {
  return db
    .selectFrom('renditions')
    .select(['name', 'width', 'height', 'frameRate', 'bandwidth', 'codecs', 'copied'])
    .where('videoId', '=', videoId)
    .orderBy('name', 'desc')
    .execute()
}

export async function listSoundTracks(db: Database, videoId: number) {
  return db
    .selectFrom('soundTracks')
    .select(['number', 'file', 'language'])
    .where('videoId', '=', videoId)
    .orderBy('number')
    .execute()
}

export async function upsertSoundNames(
  db: DatabaseTransaction,
  input: { videoId: number; names: (string | null)[] },
): Promise<void> {
  const { videoId, names } = input
  for (const [index, name] of names.entries()) {
    await db
      .insertInto('soundNames')
      .values({ videoId, number: index + 1, name })
      .onConflict((conflict) => conflict.columns(['videoId', 'number']).doUpdateSet({ name }))
      .execute()
  }
}

export async function upsertSoundKind(
  db: Database,
  input: { videoId: number; number: number; kind: SoundKind | null },
): Promise<void> {
  const { kind } = input
  await db
    .insertInto('soundNames')
    .values(input)
    .onConflict((conflict) => conflict.columns(['videoId', 'number']).doUpdateSet({ kind }))
    .execute()
}

export async function listSoundNames(db: Database, videoId: number) {
  return db
    .selectFrom('soundNames')
    .select(['number', 'name', 'kind'])
    .where('videoId', '=', videoId)
    .orderBy('number')
    .execute()
}
