import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { DATABASE_FILE, openDatabaseToRead } from '#server/platform/db/database.ts'
import { engineOf } from '#server/platform/db/engine.ts'
import { CommandError } from '#server/platform/errors.ts'
import { syncFile } from '#server/platform/files/durable-files.ts'
import { hashFile } from '#server/platform/files/file-hash.ts'
import { listNamedFiles } from '../site-check/named-files.ts'
import { eachOf, listStoredFiles } from '../site-check/stored-files.ts'

export const MANIFEST_FILE = 'manifest.json'
const LISTED_PROBLEMS = 5
const VERSION = 3

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/)

// A path leads into the backup and nowhere else.
const pathSchema = z
  .string()
  .regex(/^[^/\\\0]+(\/[^/\\\0]+)+$/)
  .refine((path) => !path.split('/').some((part) => part === '.' || part === '..'))

const contentSchema = z.object({
  format: z.literal('clutch-backup'),
  /** Version 1 knew the sizes of media, but not their hashes, and had no digest; 3 lacks the media themselves. */
  version: z.union([z.literal(1), z.literal(2), z.literal(VERSION)]),
  createdAt: z.iso.datetime(),
  videos: z.int(),
  members: z.int(),
  database: z.object({ bytes: z.int(), sha256: hashSchema }),
  /** The media stay in the store, and are only listed here, with the hashes that are known. */
  media: z.literal('store').optional(),
  /** The address of that store. */
  store: z.string().optional(),
  /** Below the backup's `media/`, or that of the store. */
  files: z.array(z.object({ path: pathSchema, bytes: z.int(), sha256: hashSchema.optional() })),
  /** What rows speak of but the site itself did not have. */
  missing: z.array(pathSchema),
})

/** What a backup holds, as its `manifest.json` says it. */
export type Manifest = z.infer<typeof contentSchema>
export type ListedFile = Manifest['files'][number]

/** The media that a backup holds itself. */
export function heldFiles({ media, files }: Manifest): ListedFile[] {
  return media === 'store' ? [] : files
}

/** Bytes of the database and of the media that a backup holds itself. */
export function heldBytes(manifest: Manifest): number {
  return heldFiles(manifest).reduce((sum, { bytes }) => sum + bytes, manifest.database.bytes)
}

const manifestSchema = contentSchema.extend({ digest: hashSchema.optional() })
const newerSchema = z.object({
  format: z.literal('clutch-backup'),
  version: z.int().min(VERSION + 1),
})

/** @throws CommandError when the folder is no backup, or one that this version cannot read */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch((error) => {
    if (error.code === 'ENOTDIR') {
      throw new CommandError(
        `${folder} is a file. Unpack it first, as in tar -xf FILE, and name the folder.`,
      )
    }
    if (error.code !== 'ENOENT') throw error
    throw new CommandError(`${folder} is not a backup: it has no ${MANIFEST_FILE}.`)
  })
  const parsed = parseJson(text)
  const result = manifestSchema.safeParse(parsed)
  if (result.success && isWhole(result.data)) return contentSchema.parse(parsed)
  if (newerSchema.safeParse(parsed).success) {
    throw new CommandError('The backup was made by a newer version of Clutch. Update Clutch first.')
  }
  throw new CommandError(`The backup is damaged: its ${MANIFEST_FILE} cannot be read.`)
}

/** Every byte of a manifest counts, as those of the files do. */
function isWhole({ digest, ...content }: z.infer<typeof manifestSchema>): boolean {
  if (content.version === 1) return true
  return digest === digestOf(content) && heldFiles(content).every(({ sha256 }) => sha256)
}

function digestOf(content: Manifest): string {
  return createHash('sha256')
    .update(JSON.stringify(contentSchema.parse(content)))
    .digest('hex')
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, MANIFEST_FILE)
  const content = { ...manifest, digest: digestOf(manifest) }
  await writeFile(path, `${JSON.stringify(content, null, 1)}\n`)
  await syncFile(path)
}

/**
 * Compares a backup with its manifest, and its database with its files.
 * @param options.readMedia false when their hashes were taken just now
 * @throws CommandError with a sentence that says what is wrong
 */
export async function requireWholeBackup(
  folder: string,
  manifest: Manifest,
  options: { readMedia: boolean } = { readMedia: true },
): Promise<void> {
  const problems = (await findDatabaseProblem(folder, manifest)) ?? [
    ...(await listFileProblems(folder, manifest)),
    ...(options.readMedia ? await listChangedFiles(folder, manifest) : []),
  ]
  if (problems.length === 0) return
  const rest = problems.length - LISTED_PROBLEMS
  const listed = problems.slice(0, LISTED_PROBLEMS).join(' ')
  throw new CommandError(`The backup is damaged. ${listed}${rest > 0 ? ` And ${rest} more.` : ''}`)
}

async function findDatabaseProblem(
  folder: string,
  { database }: Manifest,
): Promise<string[] | undefined> {
  const hash = await hashFile(join(folder, DATABASE_FILE)).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!hash) return [`Its ${DATABASE_FILE} is missing.`]
  if (hash !== database.sha256) return [`Its ${DATABASE_FILE} is not the file that was backed up.`]
  const db = openDatabaseToRead(folder)
  try {
    const damage = await engineOf(db).listDamage(db)
    return damage.length > 0 ? damage : undefined
  } finally {
    await db.destroy()
  }
}

async function listFileProblems(folder: string, manifest: Manifest): Promise<string[]> {
  const stored = await listStoredFiles(join(folder, 'media'))
  const db = openDatabaseToRead(folder)
  const named = await listNamedFiles(db).finally(() => db.destroy())
  const listed = new Set(manifest.files.map((file) => file.path))
  const excused = new Set(manifest.missing)
  const wrongFiles = heldFiles(manifest).flatMap(({ path, bytes }) => {
    const found = stored.get(path)
    if (found === undefined) return [`Its media/${path} is missing.`]
    return found === bytes ? [] : [`Its media/${path} has ${found} bytes instead of ${bytes}.`]
  })
  const unlisted = named
    .filter(({ path }) => !listed.has(path) && !excused.has(path))
    .map(({ path, what }) => `It lacks media/${path}, ${what}.`)
  return [...wrongFiles, ...unlisted]
}

/** Files of the right size with other bytes. */
async function listChangedFiles(folder: string, manifest: Manifest): Promise<string[]> {
  const changed: string[] = []
  await eachOf(heldFiles(manifest), async ({ path, bytes, sha256 }) => {
    if (sha256 === undefined) return
    const file = join(folder, 'media', path)
    // Missing ones and those of another size are reported already.
    const found = await stat(file).catch(() => undefined)
    if (found?.size !== bytes || (await hashFile(file)) === sha256) return
    changed.push(`Its media/${path} is not the file that was backed up.`)
  })
  return changed.sort()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
