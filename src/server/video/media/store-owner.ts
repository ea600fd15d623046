import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { withLock } from '#server/platform/cluster/locks.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CommandError } from '#server/platform/errors.ts'
import {
  type MediaStore,
  type StoreElsewhere,
  storesElsewhere,
} from '#server/platform/files/media-store.ts'
import { listFolders } from '#server/platform/files/stored-folders.ts'
import { findSiteMark } from '#server/platform/site/site.queries.ts'
import { listKnownMedia, listOpenUploads } from './media-folder.queries.ts'
import {
  changeStoreRecord,
  findStoreRecord,
  type RecordLocation,
  refreshStoreRecords,
} from './store-records.ts'

const OWNER_KEY = 'site.json'
/** As in earlier versions, whose nodes may run beside. */
const LOCK = 'store-mark'
/** A store may return an older object for a while, and nodes may start together. */
const GENERATIONS_KEPT = 20
const COMPARED = 500

/** Stored form, where the generation is `turn`. */
const ownerSchema = z
  .object({ site: z.string(), turn: z.string() })
  .transform(({ site, turn }) => ({ site, generation: turn }))
type StoreOwner = z.infer<typeof ownerSchema>

/**
 * Writes this site with a new generation into its remote stores. A store of another site, or one
 * that another copy of this site used meanwhile, gets a delete lock until `claimStores`. See
 * docs/decisions/0044-whose-store.md.
 * @returns a sentence for each store of another site
 * @throws StoreError
 */
export async function takeStores(location: RecordLocation, media: MediaStore): Promise<string[]> {
  const stores = storesElsewhere(media)
  const found: string[] = []
  for (const store of stores) {
    const isOld = store !== media && store !== media.parts?.[0]
    // Two writes at once may leave a broken object in some stores.
    const sentence = await withLock(location.db, LOCK, () => takeStore(location, { store, isOld }))
    if (sentence !== undefined) found.push(sentence)
  }
  return found
}

async function takeStore(
  location: RecordLocation,
  { store, isOld }: { store: StoreElsewhere; isOld: boolean },
): Promise<string | undefined> {
  const { db } = location
  const { address } = store.remote
  const site = await findSiteMark(db, 'media')
  // Another node may write both: the store is read before the record.
  const owner = await readOwner(store)
  const record = await findStoreRecord(location, address)
  const known = record?.deleteLock === null ? record : undefined
  const lock = (reason: string) =>
    changeStoreRecord(location, {
      address,
      change: () => ({ generations: [], deleteLock: reason }),
    })
  const other = describeOther(address)
  let deleteLock = record?.deleteLock ?? null
  if (owner) {
    if (owner.site !== site) {
      await lock(other)
      return other
    }
    if (!record?.generations.includes(owner.generation)) deleteLock = describeCopy(address)
  } else if (!known) {
    const { own, unknown } = await countFolders(db, store)
    if (own + unknown === 0 && isOld) return undefined
    if (own === 0 && unknown > 0) {
      await lock(other)
      return other
    }
    deleteLock = unknown > own ? describeCopy(address) : null
  }
  const generation = randomUUID()
  // Record first: a crash in between must not look like another copy.
  await changeStoreRecord(location, {
    address,
    change: (before) => ({
      generations: [generation, ...(before?.generations ?? [])].slice(0, GENERATIONS_KEPT),
      deleteLock,
    }),
  })
  await store.put([
    { key: OWNER_KEY, bytes: Buffer.from(JSON.stringify({ site, turn: generation })) },
  ])
  return undefined
}

/**
 * Lifts delete locks.
 * @returns addresses of the stores
 * @throws CommandError when one belongs to another site
 */
export async function claimStores(location: RecordLocation, media: MediaStore): Promise<string[]> {
  await requireOwnStores(location.db, media)
  const stores = storesElsewhere(media)
  for (const store of stores) {
    const { address } = store.remote
    const owner = await readOwner(store)
    const record = { generations: owner ? [owner.generation] : [], deleteLock: null }
    await changeStoreRecord(location, { address, change: () => record })
  }
  return stores.map(({ remote }) => remote.address)
}

/**
 * @returns true when one names this site
 * @throws CommandError when one names another
 */
export async function requireOwnStores(db: Database, media: MediaStore): Promise<boolean> {
  let isOwned = false
  for (const store of storesElsewhere(media)) {
    const site = await findSiteMark(db, 'media')
    const owner = await readOwner(store)
    if (!owner) continue
    if (owner.site !== site) throw new CommandError(describeOther(store.remote.address))
    isOwned = true
  }
  return isOwned
}

export async function findDeleteLock(
  location: RecordLocation,
  media: MediaStore,
): Promise<string | undefined> {
  for (const { remote } of storesElsewhere(media)) {
    const deleteLock = (await findStoreRecord(location, remote.address))?.deleteLock
    if (deleteLock) return deleteLock
  }
  return undefined
}

/** Set or lifted by other nodes or an admin. */
export async function refreshDeleteLocks(
  location: RecordLocation,
  media: MediaStore,
): Promise<void> {
  await refreshStoreRecords(
    location,
    storesElsewhere(media).map(({ remote }) => remote.address),
  )
}

export async function removeStoreOwner(store: MediaStore): Promise<void> {
  await store.removePrefix(OWNER_KEY)
}

/** Unreadable content is another site's. */
async function readOwner(store: MediaStore): Promise<StoreOwner | undefined> {
  const body = await store.openRange(OWNER_KEY)
  if (!body) return undefined
  const written = await text(body)
  try {
    return ownerSchema.parse(JSON.parse(written))
  } catch {
    return { site: '', generation: '' }
  }
}

async function countFolders(db: Database, store: MediaStore) {
  const known = { media: listKnownMedia, uploads: listOpenUploads }
  for (const area of ['media', 'uploads'] as const) {
    const names: string[] = []
    for await (const { name } of listFolders(store, area)) if (names.push(name) === COMPARED) break
    if (names.length === 0) continue
    const own = (await known[area](db, names)).length
    return { own, unknown: names.length - own }
  }
  return { own: 0, unknown: 0 }
}

const describeOther = (address: string) =>
  `${address} holds the videos of another site. Choose another place for MEDIA_STORE, or set DATA_DIR to the data folder that belongs to it.`
const describeCopy = (address: string) =>
  `${address} was used by another copy of this site, so nothing is deleted there. If this copy is to continue, run npm run doctor -- --claim-store.`
