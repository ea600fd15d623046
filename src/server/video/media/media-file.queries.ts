import type { Insertable } from 'kysely'
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
  timestamp,
} from '#server/platform/db/database.ts'
import type {
  MediaFilesTable,
  RenditionsTable,
  SoundTracksTable,
} from '#server/platform/db/tables/video.ts'
import type { SoundKind } from '#shared/sound-tracks.ts'
import { addressKey } from './media-address.ts'

export type NewMediaFile = Pick<MediaFilesTable, 'name' | 'kind' | 'bytes'> &
  Partial<Pick<MediaFilesTable, 'makerId'>>

/**
 * Lists files as served; one that is listed already gets its new size.
 * See docs/decisions/0008-served-files-are-rows.md.
 */
export async function insertMediaFiles(
  db: DatabaseTransaction,
  input: { videoId: number; files: NewMediaFile[] },
): Promise<void> {
  const { videoId, files } = input
  if (files.length === 0) return
  await db
    .insertInto('mediaFiles')
    .values(files.map((file) => ({ videoId, ...file })))
    .onConflict((conflict) =>
      conflict.columns(['videoId', 'name']).doUpdateSet((eb) => ({
        kind: eb.ref('excluded.kind'),
        bytes: eb.ref('excluded.bytes'),
        retiredAt: null,
      })),
    )
    .execute()
}

/**
 * Lists files that are about to come, as retired ones: they count from now on, and go again unless
 * `updateComingFiles` follows.
 */
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

/** The files have come, and are no longer retired. */
export async function updateComingFiles(
  db: DatabaseTransaction,
  input: { videoId: number; names: string[] },
): Promise<void> {
  await db
    .updateTable('mediaFiles')
    .set({ retiredAt: null })
    .where('videoId', '=', input.videoId)
    .where('name', 'in', input.names)
    .execute()
}

/** The captions of a video, by their label. */
export async function listCaptions(db: Database, videoId: number) {
  return db
    .selectFrom('captions')
    .select(['id', 'language', 'label', 'file'])
    .where('videoId', '=', videoId)
    .orderBy('label')
    .execute()
}

/** Marks all pictures of a video but those just made. */
export async function retireOtherPictures(
  db: DatabaseTransaction,
  input: { videoId: number; keep: string[] },
): Promise<void> {
  await db
    .updateTable('mediaFiles')
    .set({ retiredAt: timestamp() })
    .where('videoId', '=', input.videoId)
    .where('kind', '=', 'picture')
    .where('name', 'not in', input.keep)
    // Those of clips are no pictures of the whole video.
    .where('name', 'not like', 'clip-%')
    .where('retiredAt', 'is', null)
    .execute()
}

/** Marks all files of clips of a recording: the clips get new ones of the recording that stands for it. */
export async function retireClipFiles(db: DatabaseTransaction, videoId: number): Promise<void> {
  await db
    .updateTable('mediaFiles')
    .set({ retiredAt: timestamp() })
    .where('videoId', '=', videoId)
    .where('makerId', 'is not', null)
    .where('retiredAt', 'is', null)
    .execute()
}

/** Marks a file that a better one stands for; it is served for a while yet. */
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

/** Files that a better one stood for since before `time`. */
export async function listRetiredFiles(db: Database, time: Date) {
  return db
    .selectFrom('mediaFiles')
    .innerJoin('videos', 'videos.id', 'mediaFiles.videoId')
    .select(['mediaFiles.videoId', 'mediaFiles.name', 'mediaFiles.bytes', 'videos.mediaKey'])
    .where('mediaFiles.retiredAt', '<', timestamp(time))
    .execute()
}

/** Files of a video by their names. */
export async function listFilesByName(db: Database, input: { videoId: number; names: string[] }) {
  if (input.names.length === 0) return []
  return db
    .selectFrom('mediaFiles')
    .select(['name', 'bytes'])
    .where('videoId', '=', input.videoId)
    .where('name', 'in', input.names)
    .execute()
}

/** The files of a video that others stand for. */
export async function listRetiredFilesOfVideo(
  db: Database,
  input: { videoId: number; kinds: MediaFilesTable['kind'][] },
) {
  return db
    .selectFrom('mediaFiles')
    .select(['name', 'bytes'])
    .where('videoId', '=', input.videoId)
    .where('kind', 'in', input.kinds)
    .where('retiredAt', 'is not', null)
    .execute()
}

/** Forgets a retired file, whose bytes its video no longer takes. */
export async function deleteRetiredFile(
  db: Database,
  file: { videoId: number; name: string; bytes: number | null },
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await transaction
      .deleteFrom('mediaFiles')
      .where('videoId', '=', file.videoId)
      .where('name', '=', file.name)
      .execute()
    await transaction
      .updateTable('videos')
      .set((eb) => ({ storageBytes: eb('storageBytes', '-', file.bytes ?? 0) }))
      .where('id', '=', file.videoId)
      .execute()
  })
}

/** Puts a new ladder in the place of whatever was recorded. */
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

export async function hasMediaFile(
  db: Database,
  { videoId, name }: { videoId: number; name: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('mediaFiles')
    .select('name')
    .where('videoId', '=', videoId)
    .where('name', '=', name)
    .where('retiredAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** The steps of a video's adaptive stream, largest first. */
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

/** Takes over what a recorder called the tracks; what the owner chose stays. */
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
