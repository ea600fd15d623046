import { join } from 'node:path'
import { isSqliteError } from '#server/platform/db/errors.ts'
import { listForeignParts } from '#server/platform/db/known-schema.ts'
import { listDamage } from '#server/platform/db/maintain.ts'
import { requireKnownSchema } from '#server/platform/db/migrate.ts'
import { DATABASE_FILE, openUntrustedDatabase } from '#server/platform/db/open.ts'
import { findOddPart, listOddEntries, statPlainFile } from '#server/platform/files/plain-files.ts'
import { listNamedFiles } from '../site-check/named-files.ts'
import { eachOf, listNames, listStoredFiles, type StoredFiles } from '../site-check/stored-files.ts'
import { heldFiles, type ListedFile, type Manifest } from './backup-manifest.ts'
import { BackupRefusedError } from './backup-refusal.ts'
import { hashPlainFile } from './hash-file.ts'

const LISTED_PROBLEMS = 5
const OTHER_DATABASE = `Its ${DATABASE_FILE} is not the file that was backed up.`
const JOURNALS = ['-journal', '-wal', '-shm'].map((end) => DATABASE_FILE + end)

/**
 * Checks manifest, files, rows and schema. Follows no link and runs nothing of the database.
 * @param options.readMedia false when just hashed
 * @param options.databaseFolder a private copy of the database; the backup itself by default
 * @throws BackupRefusedError with the reason
 * @throws `conflict` for a newer version
 */
export async function requireWholeBackup(
  folder: string,
  manifest: Manifest,
  options: { readMedia: boolean; databaseFolder?: string } = { readMedia: true },
): Promise<void> {
  const { readMedia, databaseFolder = folder } = options
  await requirePlainBackup(folder)
  await requireDatabaseFile(databaseFolder, manifest)
  refuse(await listDatabaseProblems(databaseFolder, manifest))
  refuse([
    ...(await listFileProblems(folder, { manifest, databaseFolder })),
    ...(readMedia ? await listChangedFiles(folder, manifest) : []),
  ])
}

/**
 * Before the database is opened.
 * @throws BackupRefusedError for a link, or for a journal, which SQLite would apply
 */
export async function requirePlainBackup(folder: string): Promise<void> {
  const odd = await listOddEntries(folder, LISTED_PROBLEMS)
  refuse(await Promise.all(odd.map((path) => describeAbsence(folder, path))))
  const names = await listNames(folder)
  const journals = names.filter((name) => JOURNALS.includes(name))
  refuse(journals.map((name) => `Its ${name} is no part of a backup.`))
}

function refuse(problems: string[]): void {
  if (problems.length === 0) return
  const rest = problems.length - LISTED_PROBLEMS
  const listed = problems.slice(0, LISTED_PROBLEMS).join(' ')
  throw new BackupRefusedError(
    `The backup is damaged. ${listed}${rest > 0 ? ` And ${rest} more.` : ''}`,
  )
}

/**
 * Call it before copying or reading: a forged file may be endless.
 * @throws BackupRefusedError
 */
export async function requireDatabaseFile(folder: string, { database }: Manifest): Promise<void> {
  const found = await statPlainFile(join(folder, DATABASE_FILE))
  if (!found) refuse([await describeAbsence(folder, DATABASE_FILE)])
  if (found?.size !== database.bytes) refuse([OTHER_DATABASE])
}

async function listDatabaseProblems(folder: string, { database }: Manifest): Promise<string[]> {
  if ((await hashPlainFile(join(folder, DATABASE_FILE))) !== database.sha256) {
    return [OTHER_DATABASE]
  }
  const db = openUntrustedDatabase(folder)
  try {
    await requireKnownSchema(db)
    const foreign = await listForeignParts(db)
    if (foreign.length > 0) return foreign.map((phrase) => `In its ${DATABASE_FILE} ${phrase}.`)
    return await listDamage(db)
  } catch (error) {
    if (!isSqliteError(error)) throw error
    return [`Its ${DATABASE_FILE} cannot be read: ${(error as Error).message}.`]
  } finally {
    await db.destroy()
  }
}

async function listFileProblems(
  folder: string,
  { manifest, databaseFolder }: { manifest: Manifest; databaseFolder: string },
): Promise<string[]> {
  const stored = await listStoredFiles(join(folder, 'media'))
  const db = openUntrustedDatabase(databaseFolder)
  const named = await listNamedFiles(db).finally(() => db.destroy())
  const listed = new Set(manifest.files.map((file) => file.path))
  const excused = new Set(manifest.missing)
  const wrongFiles: string[] = []
  for (const file of heldFiles(manifest))
    wrongFiles.push(...(await compareSize(folder, { file, stored })))
  const unlisted = named
    .filter(({ path }) => !listed.has(path) && !excused.has(path))
    .map(({ path, what }) => `It lacks media/${path}, ${what}.`)
  return [...wrongFiles, ...unlisted]
}

async function compareSize(
  folder: string,
  { file, stored }: { file: ListedFile; stored: StoredFiles },
): Promise<string[]> {
  const path = `media/${file.path}`
  const found = stored.get(file.path)
  if (found === undefined) return [await describeAbsence(folder, path)]
  return found === file.bytes ? [] : [`Its ${path} has ${found} bytes instead of ${file.bytes}.`]
}

async function describeAbsence(folder: string, path: string): Promise<string> {
  return `Its ${(await findOddPart(folder, path)) ?? `${path} is missing`}.`
}

async function listChangedFiles(folder: string, manifest: Manifest): Promise<string[]> {
  const changed: string[] = []
  await eachOf(heldFiles(manifest), async ({ path, bytes, sha256 }) => {
    if (sha256 === undefined) return
    const file = join(folder, 'media', path)
    if ((await statPlainFile(file))?.size !== bytes || (await hashPlainFile(file)) === sha256)
      return
    changed.push(`Its media/${path} is not the file that was backed up.`)
  })
  return changed.sort()
}
