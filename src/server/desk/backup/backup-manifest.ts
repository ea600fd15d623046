import { createHash } from 'node:crypto'
import { lstat, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { syncFile } from '#server/platform/durable-files.ts'
import { CommandError } from '#server/platform/errors.ts'
import { findOddPart, openPlainFile } from '#server/platform/files/plain-files.ts'
import { isSafeKey } from '#server/platform/files/safe-keys.ts'
import { BackupRefusedError } from './backup-refusal.ts'
import { parseJson, readBoundedFile, TEXT_MAX_BYTES } from './bounded-json.ts'

export const MANIFEST_FILE = 'manifest.json'
const VERSION = 3
const PATH_MAX_LENGTH = 1000

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/)

const pathSchema = z
  .string()
  .regex(/^[^/\\\0]+(\/[^/\\\0]+)+$/)
  .refine((path) => !path.split('/').some((part) => part === '.' || part === '..'))

const contentSchema = z.object({
  format: z.literal('clutch-backup'),
  /** 1: no hashes of media, no digest; 3: no media. */
  version: z.union([z.literal(1), z.literal(2), z.literal(VERSION)]),
  createdAt: z.iso.datetime(),
  videos: z.int(),
  members: z.int(),
  database: z.object({ bytes: z.int(), sha256: hashSchema }),
  media: z.literal('store').optional(),
  store: z.string().optional(),
  /** Below `media/`. */
  files: z.array(z.object({ path: pathSchema, bytes: z.int(), sha256: hashSchema.optional() })),
  /** Missing on the site itself. */
  missing: z.array(pathSchema),
})

export type Manifest = z.infer<typeof contentSchema>
export type ListedFile = Manifest['files'][number]

/** Without media in a store, and foreign names such as `.DS_Store`. */
export function heldFiles({ media, files }: Manifest): ListedFile[] {
  return media === 'store' ? [] : files.filter(({ path }) => isSafeKey(path))
}

export function heldBytes(manifest: Manifest): number {
  return heldFiles(manifest).reduce((sum, { bytes }) => sum + bytes, manifest.database.bytes)
}

const manifestSchema = contentSchema.extend({ digest: hashSchema.optional() })
const newerSchema = z.object({
  format: z.literal('clutch-backup'),
  version: z.int().min(VERSION + 1),
})

/**
 * Resolves links.
 * @throws CommandError
 */
export async function findBackupFolder(folder: string): Promise<string> {
  const found = await realpath(folder).catch(() => folder)
  const state = await lstat(found).catch(() => undefined)
  if (state?.isFile()) {
    throw new CommandError(
      `${folder} is a file. Unpack it first, as in tar -xf FILE, and name the folder.`,
    )
  }
  if (!state?.isDirectory()) throw new CommandError(`${folder} is not a backup: it is no folder.`)
  return found
}

/** @throws CommandError for no backup, or one of an unknown version */
export async function readManifest(folder: string): Promise<Manifest> {
  const root = await findBackupFolder(folder)
  const odd = await findOddPart(root, MANIFEST_FILE)
  if (odd) throw new BackupRefusedError(`${folder} is not a backup: its ${odd}.`)
  const file = await openPlainFile(join(root, MANIFEST_FILE))
  if (!file) throw new CommandError(`${folder} is not a backup: it has no ${MANIFEST_FILE}.`)
  const text = await readBoundedFile(file)
  if (text === undefined) {
    throw new BackupRefusedError(`The backup is not read: its ${MANIFEST_FILE} is too large.`)
  }
  const parsed = parseJson(text)
  const result = manifestSchema.safeParse(parsed)
  if (result.success && isWhole(result.data)) return contentSchema.parse(parsed)
  if (newerSchema.safeParse(parsed).success) {
    throw new BackupRefusedError(
      'The backup was made by a newer version of Clutch. Update Clutch first.',
    )
  }
  throw new BackupRefusedError(`The backup is damaged: its ${MANIFEST_FILE} cannot be read.`)
}

/** The digest covers the whole manifest. */
function isWhole({ digest, ...content }: z.infer<typeof manifestSchema>): boolean {
  if (!canLieInFolder(content.files)) return false
  if (content.version === 1) return true
  return digest === digestOf(content) && heldFiles(content).every(({ sha256 }) => sha256)
}

/** No path twice or longer than systems allow, and no file in the place of a folder. */
function canLieInFolder(files: ListedFile[]): boolean {
  const paths = new Set(files.map(({ path }) => path))
  const isWithinFile = (path: string) => {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      if (paths.has(path.slice(0, at))) return true
    }
    return false
  }
  const isOdd = (path: string) => path.length > PATH_MAX_LENGTH || isWithinFile(path)
  return paths.size === files.length && !files.some(({ path }) => isOdd(path))
}

function digestOf(content: Manifest): string {
  return createHash('sha256')
    .update(JSON.stringify(contentSchema.parse(content)))
    .digest('hex')
}

/** @throws CommandError for a list too long to be read again */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, MANIFEST_FILE)
  await writeFile(path, describeContent(manifest))
  await syncFile(path)
}

function describeContent(manifest: Manifest): string {
  try {
    const text = `${JSON.stringify({ ...manifest, digest: digestOf(manifest) }, null, 1)}\n`
    if (Buffer.byteLength(text) <= TEXT_MAX_BYTES) return text
  } catch (error) {
    // Longer than Node's longest string.
    if (!(error instanceof RangeError)) throw error
  }
  throw new CommandError('The site has too many files for one backup: their list is too long.')
}
