import type { Database, DatabaseTransaction } from '#server/platform/db/database.ts'
import type { SoundMix } from '#shared/sound-mix.ts'

const STREAM_FILE = /^sound-(\d+)-stream[-.]/

type Mixes = { wanted: SoundMix | null; made: SoundMix | null }

export async function findSoundMixes(db: Database, videoId: number): Promise<Mixes> {
  const row = await db
    .selectFrom('soundMixes')
    .select(['wanted', 'made'])
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return { wanted: parse(row?.wanted), made: parse(row?.made) }
}

export async function upsertSoundMixes(
  db: DatabaseTransaction,
  input: { videoId: number } & Partial<Mixes>,
): Promise<void> {
  const { videoId, ...mixes } = input
  const columns = Object.fromEntries(
    Object.entries(mixes).map(([name, mix]) => [name, mix && JSON.stringify(mix)]),
  )
  await db
    .insertInto('soundMixes')
    .values({ videoId, wanted: null, made: null, ...columns })
    .onConflict((conflict) => conflict.column('videoId').doUpdateSet(columns))
    .execute()
}

/**
 * Names of the tracks, for a recording cut from another.
 * @param input.hasMix whether it begins with the mix of the other
 */
export async function copySoundSettings(
  db: DatabaseTransaction,
  { fromId, toId, hasMix }: { fromId: number; toId: number; hasMix: boolean },
): Promise<void> {
  const { made } = await findSoundMixes(db, fromId)
  if (made && hasMix) await upsertSoundMixes(db, { videoId: toId, wanted: made, made })
  const names = await db
    .selectFrom('soundNames')
    .select(['number', 'name', 'kind'])
    .where('videoId', '=', fromId)
    .execute()
  for (const name of names) {
    await db
      .insertInto('soundNames')
      .values({ videoId: toId, ...name })
      .execute()
  }
}

/** Files of the recorded tracks in the stream, by number. */
export async function listStreamedTracks(
  db: Database,
  videoId: number,
): Promise<Map<number, string>> {
  const rows = await listCurrentFiles(db, videoId)
  return new Map(
    rows.flatMap(({ kind, name }) => {
      const number = Number(STREAM_FILE.exec(name)?.[1] ?? 0)
      return kind === 'sound' && number > 0 ? [[number, name] as const] : []
    }),
  )
}

/** Files that a new mix replaces, besides those that the video names. */
export async function listMixedFiles(db: Database, videoId: number): Promise<string[]> {
  const rows = await listCurrentFiles(db, videoId)
  return rows
    .map(({ name }) => name)
    .filter((name) => name.startsWith('sound-0') || name.endsWith('.bin'))
}

function listCurrentFiles(db: Database, videoId: number) {
  return db
    .selectFrom('mediaFiles')
    .select(['name', 'kind'])
    .where('videoId', '=', videoId)
    .where('kind', 'in', ['sound', 'playlist', 'storyboard'])
    .where('retiredAt', 'is', null)
    .execute()
}

export async function findMixedVideo(db: Database, videoId: number) {
  return db
    .selectFrom('videos')
    .select(['id', 'userId', 'mediaKey', 'videoUrl', 'hlsUrl', 'shareUrl'])
    .where('id', '=', videoId)
    .where('processingState', '=', 'ready')
    .where('hlsUrl', 'is not', null)
    .executeTakeFirst()
}

export async function insertFirstTrack(
  db: DatabaseTransaction,
  input: { videoId: number; file: string },
): Promise<void> {
  const { soundLanguage } = await db
    .selectFrom('videos')
    .select('soundLanguage')
    .where('id', '=', input.videoId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('soundTracks')
    .values({ ...input, number: 1, language: soundLanguage })
    .execute()
}

/** @returns its file */
export async function deleteFirstTrack(
  db: DatabaseTransaction,
  videoId: number,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('soundTracks')
    .where('videoId', '=', videoId)
    .where('number', '=', 1)
    .returning('file')
    .executeTakeFirst()
  return row?.file
}

const parse = (text: string | null | undefined): SoundMix | null =>
  text == null ? null : (JSON.parse(text) as SoundMix)
