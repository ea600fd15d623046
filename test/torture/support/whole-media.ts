import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { compareHashes } from '#server/desk/site-check/deep-check.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { openSiteDatabase } from '#server/platform/db/site-database.ts'
import { type MediaStore, storeKey } from '#server/platform/files/media-store.ts'
import { openMediaForCommand } from '#server/platform/files/open-media-store.ts'
import { decodeAll } from '#test/support/clips.ts'
import { findBrokenRanges, parseMedia } from '#test/support/hls.ts'
import { mediaVariables } from '#test/support/media-variables.ts'
import type { Variables } from './tried-site.ts'

type Files = Awaited<ReturnType<typeof listFiles>>
type WholeMedia = { wrong: string[]; files: number; decoded: number; playlists: number }

/**
 * Reads all media of a stopped site: each file has the hash of its row, every ready video with its files for chats and those of
 * its clips is decoded from end to end, and what playlists say is true of their files.
 * @returns what is wrong, a sentence each
 */
export async function checkMediaWhole(
  dataFolder: string,
  env: Variables = {},
): Promise<WholeMedia> {
  const variables = { ...(await mediaVariables(dataFolder)), ...env, DATA_DIR: dataFolder }
  const config = readConfig(variables)
  const db = await openSiteDatabase(config)
  const { media, close } = await openMediaForCommand(config)
  try {
    const { problems, read } = await compareHashes(db, media)
    const files = await listFiles(db)
    const moving = await decodeEach(media, files)
    const playlists = await checkPlaylists(media, files)
    return {
      wrong: [...problems.map(({ text }) => text), ...moving.wrong, ...playlists.wrong],
      ...{ files: read.files, decoded: moving.decoded, playlists: playlists.count },
    }
  } finally {
    await close()
    await db.destroy()
  }
}

const listFiles = (db: Database) =>
  db
    .selectFrom('mediaFiles')
    .innerJoin('videos', 'videos.id', 'mediaFiles.videoId')
    .select(['videos.id', 'videos.mediaKey', 'mediaFiles.name', 'mediaFiles.kind'])
    .select('mediaFiles.sha256')
    .where('processingState', '=', 'ready')
    .where('retiredAt', 'is', null)
    .execute()

/** Many videos of a seeded site have the same bytes, which are decoded once. */
async function decodeEach(media: MediaStore, files: Files) {
  const seen = new Set<string | null>([null])
  const wrong: string[] = []
  let decoded = 0
  for (const { id, mediaKey, name, kind, sha256 } of files) {
    const isMoving = kind === 'video' || kind === 'share' || kind === 'rendition'
    if (!isMoving || seen.has(sha256)) continue
    seen.add(sha256)
    const copy = await media.localCopy(storeKey(mediaKey, name))
    if (!copy) {
      wrong.push(`Video ${id} lacks ${name}.`)
      continue
    }
    const { frames, errors } = await decodeAll(copy.path)
      .catch(() => ({ frames: 0, errors: 1 }))
      .finally(copy.release)
    decoded += 1
    if (errors === 0 && frames > 0) continue
    wrong.push(
      `${name} of video ${id} has ${frames} pictures and ${errors} that cannot be decoded.`,
    )
  }
  return { wrong, decoded }
}

/** Playlists name files of the attempt that they are of, and ranges that these have. */
async function checkPlaylists(media: MediaStore, files: Files) {
  const names = new Set(files.map(({ id, name }) => `${id}/${name}`))
  const wrong: string[] = []
  let count = 0
  for (const { id, mediaKey, name, kind } of files) {
    if (kind !== 'playlist') continue
    count += 1
    const copy = await media.localCopy(storeKey(mediaKey, name))
    const text = copy ? await readFile(copy.path, 'utf8').finally(copy.release) : ''
    const named = [...text.matchAll(/^(?!#)(.+)$|URI="([^"]+)"/gm)].map(
      ([, uri, quoted]) => uri ?? quoted,
    )
    const foreign = named.find((one) => markOf(one) !== markOf(name) || !names.has(`${id}/${one}`))
    if (foreign !== undefined) wrong.push(`${name} of video ${id} names ${foreign}.`)
    if (named.length === 0) wrong.push(`${name} of video ${id} names nothing.`)
    const playlist = parseMedia(text)
    if (foreign !== undefined || playlist.segments.length === 0) continue
    const file = await media.localCopy(storeKey(mediaKey, playlist.file))
    const broken = file
      ? await findBrokenRanges(dirname(file.path), playlist).finally(file.release)
      : [`${playlist.file} is missing`]
    wrong.push(...broken.map((sentence) => `${name} of video ${id}: ${sentence}.`))
  }
  return { wrong, count }
}

/** What tells the files of one attempt from those of others; files from before have none. */
const markOf = (name = '') => /-([\da-f]{12})\.\w+$/.exec(name)?.[1]
