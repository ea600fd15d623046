import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { DATABASE_FILE, openUntrustedDatabase } from '#server/platform/db/open.ts'
import { CommandError } from '#server/platform/errors.ts'
import { isSafeName } from '#server/platform/files/safe-keys.ts'
import type { Offsite } from '#server/platform/offsite-config.ts'
import { findSiteMark } from '#server/platform/site/site.queries.ts'
import { requirePlainBackup } from '../backup-check.ts'
import { findBackupFolder, heldFiles, MANIFEST_FILE, readManifest } from '../backup-manifest.ts'
import { BackupRefusedError } from '../backup-refusal.ts'
import { parseJson, TEXT_MAX_BYTES } from '../bounded-json.ts'
import { hashPlainFile } from '../hash-file.ts'
import type { BackupPlace } from './backup-place.ts'
import { openPlace } from './open-place.ts'
import { openSealedFile, sealFile } from './sealing.ts'

const OWNER_FILE = 'clutch.json'
const OBJECTS = 'objects/'
const SNAPSHOTS = 'snapshots/'

const objectSchema = z.string().regex(/^objects\/[0-9a-f]{2}\/[0-9a-f]{64}(\.age)?$/)

/** `snapshots/NAME.json`: the backup's objects. Unencrypted, written last. */
const snapshotSchema = z.object({
  format: z.literal('clutch-snapshot'),
  version: z.literal(1),
  createdAt: z.iso.datetime(),
  isSealed: z.boolean(),
  manifest: objectSchema,
  database: objectSchema,
  media: z.array(objectSchema),
})

const objectName = (sha256: string, isSealed: boolean) =>
  `${OBJECTS}${sha256.slice(0, 2)}/${sha256}${isSealed ? '.age' : ''}`
const nameOf = (createdAt: string) => createdAt.replaceAll(/[:.]/g, '-').toLowerCase()
/** age adds a header, and 16 bytes per 64 KiB. */
const sealedBytesMax = (bytes: number) => Math.ceil(bytes * 1.001) + 64 * 1024
const snapshotName = (name: string) => `${SNAPSHOTS}${name}.json`

/**
 * Sends what is missing there.
 * @param input.keep newest snapshots that stay; objects of others are deleted
 * @returns files and bytes sent, and the store whose media are only listed
 * @throws CommandError, also for another site's place
 */
export async function sendSnapshot(
  offsite: Offsite,
  input: { folder: string; keep: number },
): Promise<{ files: number; bytes: number; store: string | undefined }> {
  const { keep } = input
  const folder = await findBackupFolder(input.folder)
  const manifest = await readManifest(folder)
  await requirePlainBackup(folder)
  const place = await openPlace(offsite)
  await claimPlace(place, folder)
  const stored = await place.list(OBJECTS)
  const sent = { files: 0, bytes: 0, store: manifest.store }
  const isSealed = offsite.recipient !== undefined
  const send = async (path: string, sha256: string, bytes: number) => {
    const object = objectName(sha256, isSealed)
    if (stored.has(object)) return object
    await putFile(place, { path, object, recipient: offsite.recipient, work: `${folder}.age` })
    stored.set(object, bytes)
    sent.files += 1
    sent.bytes += bytes
    return object
  }
  const media = new Set<string>()
  for (const { path, sha256 = '', bytes } of heldFiles(manifest)) {
    media.add(await send(join(folder, 'media', path), sha256, bytes))
  }
  const { database } = manifest
  const list = join(folder, MANIFEST_FILE)
  const snapshot: z.infer<typeof snapshotSchema> = {
    format: 'clutch-snapshot',
    version: 1,
    createdAt: manifest.createdAt,
    isSealed,
    database: await send(join(folder, DATABASE_FILE), database.sha256, database.bytes),
    manifest: await send(list, (await hashPlainFile(list)) ?? '', (await stat(list)).size),
    media: [...media],
  }
  await place.putText(snapshotName(nameOf(manifest.createdAt)), JSON.stringify(snapshot))
  await dropOldSnapshots(place, keep)
  return sent
}

/**
 * Keeps files of an interrupted call.
 * @param input.name newest by default
 * @throws CommandError if missing or undecryptable
 */
export async function fetchSnapshot(
  offsite: Offsite,
  input: { folder: string; name?: string | undefined },
): Promise<{ name: string }> {
  const { folder } = input
  const place = await openPlace(offsite)
  const name = input.name ?? (await listSnapshots(place)).at(-1)
  if (name === undefined) throw new CommandError(`There is no backup in ${offsite.target}.`)
  const snapshot = await readSnapshot(place, name)
  if (snapshot.isSealed && !offsite.identity) {
    throw new CommandError('This backup is encrypted. Set BACKUP_AGE_IDENTITY to open it.')
  }
  const fetch = (object: string, file: { path: string; bytes: number }) =>
    fetchFile(place, { object, ...file, identity: offsite.identity })
  await mkdir(folder, { recursive: true })
  const list = { path: join(folder, MANIFEST_FILE), bytes: TEXT_MAX_BYTES }
  await fetch(snapshot.manifest, list)
  const manifest = await readManifest(folder)
  const { bytes: databaseBytes } = manifest.database
  await fetch(snapshot.database, { path: join(folder, DATABASE_FILE), bytes: databaseBytes })
  for (const { path, bytes, sha256 = '' } of heldFiles(manifest)) {
    const file = { path: join(folder, 'media', path), bytes }
    await fetch(objectName(sha256, snapshot.isSealed), file)
  }
  return { name }
}

/** An estimate. */
export async function snapshotBytes(offsite: Offsite): Promise<number> {
  const place = await openPlace(offsite)
  const name = (await listSnapshots(place)).at(-1)
  if (name === undefined) return 0
  const { media, database } = await readSnapshot(place, name)
  const stored = await place.list(OBJECTS)
  return [...media, database].reduce((sum, object) => sum + (stored.get(object) ?? 0), 0)
}

/** Oldest first. */
async function listSnapshots(place: BackupPlace): Promise<string[]> {
  const names = [...(await place.list(SNAPSHOTS)).keys()]
  return names.map((name) => name.slice(SNAPSHOTS.length, -'.json'.length)).sort()
}

async function readSnapshot(place: BackupPlace, name: string) {
  if (!isSafeName(name)) throw new CommandError(`There is no backup ${name} in the target.`)
  const text = await place.readText(snapshotName(name))
  if (text === undefined) throw new CommandError(`There is no backup ${name} in the target.`)
  const result = snapshotSchema.safeParse(parseJson(text))
  if (result.success) return result.data
  throw new BackupRefusedError(`The backup ${name} in the target is damaged or of a newer version.`)
}

/** Two sites would delete each other's objects. */
async function claimPlace(place: BackupPlace, folder: string): Promise<void> {
  const db = openUntrustedDatabase(folder)
  const site = await findSiteMark(db, 'backups').finally(() => db.destroy())
  const text = await place.readText(OWNER_FILE)
  if (text === undefined) await place.putText(OWNER_FILE, JSON.stringify({ site }))
  else if ((parseJson(text) as { site?: unknown } | undefined)?.site !== site) {
    throw new CommandError('BACKUP_TARGET holds the backups of another site. Choose another one.')
  }
}

async function dropOldSnapshots(place: BackupPlace, keep: number): Promise<void> {
  const names = await listSnapshots(place)
  const [old, left] = [names.slice(0, -keep), names.slice(-keep)]
  if (old.length === 0) return
  await place.remove(old.map(snapshotName))
  const needed = new Set<string>()
  for (const name of left) {
    const { manifest, database, media } = await readSnapshot(place, name)
    for (const object of [manifest, database, ...media]) needed.add(object)
  }
  const stored = await place.list(OBJECTS)
  await place.remove([...stored.keys()].filter((object) => !needed.has(object)))
}

async function putFile(
  place: BackupPlace,
  input: { path: string; object: string; recipient: string | undefined; work: string },
): Promise<void> {
  const { path, object, recipient, work } = input
  if (recipient === undefined) return place.put(object, path)
  try {
    await sealFile({ from: path, to: work, recipient })
    await place.put(object, work)
  } finally {
    await rm(work, { force: true })
  }
}

async function fetchFile(
  place: BackupPlace,
  input: { object: string; path: string; bytes: number; identity: string | undefined },
): Promise<void> {
  const { object, path, bytes, identity } = input
  const isSealed = object.endsWith('.age')
  const sha256 = object.slice(object.lastIndexOf('/') + 1).replace('.age', '')
  if ((await hashPlainFile(path)) === sha256) return
  await mkdir(dirname(path), { recursive: true })
  if (!isSealed) return place.fetch(object, { path, maxBytes: bytes })
  const sealed = `${path}.age`
  await place.fetch(object, { path: sealed, maxBytes: sealedBytesMax(bytes) })
  await openSealedFile({ from: sealed, to: path, identity: identity ?? '' })
  await rm(sealed)
}
