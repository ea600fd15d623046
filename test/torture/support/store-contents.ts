import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { listNamedFiles } from '#server/desk/site-check/named-files.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { type MediaStore, SOURCE_FILE } from '#server/platform/files/media-store.ts'
import { openMediaForCommand } from '#server/platform/files/open-media-store.ts'
import { chunkKey } from '#server/video/media/stored-chunks.ts'
import { posterFileName } from '#server/video/processing/media-limits.ts'

type Place = { dataFolder: string; env: Record<string, string> }
type Input = Place & {
  db: Database
  /** Of files that members were sent, by their addresses. */
  hashes: Map<string, string>
}

/**
 * Compares a store with the rows of a stopped site, file by file, and each of its files with its hash.
 * @returns what is too many, missing or other than it was, a sentence each
 */
export async function checkContents(input: Input): Promise<{ wrong: string[]; files: number }> {
  const { db, hashes, dataFolder, env } = input
  const { media, close } = await openMediaForCommand(readConfig({ ...env, DATA_DIR: dataFolder }))
  try {
    const named = new Set((await listNamedFiles(db)).map(({ path }) => `media/${path}`))
    const retired = await listRetired(db)
    const chunks = await listChunkKeys(db)
    const wrong: string[] = []
    const found = new Set<string>()
    for (const area of ['media/', 'uploads/']) {
      for await (const { key } of media.list(area)) {
        found.add(key)
        const isNamed = named.has(key) || retired.has(key)
        const isMeant = isNamed || isBesideNamed(key, named) || isOfUpload(key, chunks)
        if (!isMeant) wrong.push(`The store has ${key}, which no row names.`)
        wrong.push(...(await checkHash(media, key, hashes)))
      }
    }
    for (const key of named) if (!found.has(key)) wrong.push(`The store does not have ${key}.`)
    for (const key of chunks) if (!found.has(key)) wrong.push(`The store does not have ${key}.`)
    return { wrong, files: found.size }
  } finally {
    await close()
  }
}

async function listRetired(db: Database): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    SELECT 'media/' || "mediaKey" || '/' || name AS key FROM "mediaFiles"
    JOIN videos ON videos.id = "videoId" WHERE "retiredAt" IS NOT NULL`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

/** The keys of the chunks of uploads that are under way. */
async function listChunkKeys(db: Database): Promise<Set<string>> {
  const { rows } = await sql<{ uploadId: string; chunkIndex: number; hash: Uint8Array }>`
    SELECT "uploadId", "chunkIndex", hash FROM "uploadChunks" JOIN uploads ON uploads.id = "uploadId"
    WHERE state IN ('receiving', 'finalizing')`.execute(db)
  return new Set(rows.map((one) => chunkKey(one.uploadId, one.chunkIndex, one.hash)))
}

/** A recording as it was uploaded, or a picture for which a member has chosen another, beside what rows name of a video. */
function isBesideNamed(key: string, named: Set<string>): boolean {
  const [, folder, name = ''] = /^(media\/[^/]+\/)([^/]+)$/.exec(key) ?? []
  const isKept = [SOURCE_FILE, posterFileName].includes(name)
  return isKept && folder !== undefined && [...named].some((one) => one.startsWith(folder))
}

/** A chunk that a row has, or a picture beside it. */
function isOfUpload(key: string, chunks: Set<string>): boolean {
  const folder = key.slice(0, key.lastIndexOf('/') + 1)
  const isPicture = key.startsWith('uploads/') && key.endsWith('.jpg')
  return chunks.has(key) || (isPicture && [...chunks].some((chunk) => chunk.startsWith(folder)))
}

async function checkHash(
  media: MediaStore,
  key: string,
  hashes: Map<string, string>,
): Promise<string[]> {
  const body = await media.openRange(key)
  if (!body) return [`The store lists ${key}, but does not have it.`]
  const hash = createHash('sha256')
    .update(await buffer(body))
    .digest('hex')
  const [, ofChunk] = /^uploads\/.*\/\d+-([\da-f]{16})$/.exec(key) ?? []
  const expected = hashes.get(`/${key}`) ?? ofChunk ?? hash
  return hash.startsWith(expected) ? [] : [`${key} is not what its hash says.`]
}
