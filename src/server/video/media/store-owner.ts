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
  type Place,
  refreshStoreRecords,
} from './store-records.ts'

/** The key of the object that names the owner of a store. */
const OWNER_KEY = 'site.json'
/** The name that nodes of earlier versions lock, too. */
const LOCK = 'store-mark'
/** More than one, as a store may return an older object for a while, and nodes may start at the same time. */
const GENERATIONS_KEPT = 20
/** Folders that are compared with the rows in a store that names no owner. */
const COMPARED = 500

/** The stored form, in which the generation is named `turn`. */
const ownerSchema = z
  .object({ site: z.string(), turn: z.string() })
  .transform(({ site, turn }) => ({ site, generation: turn }))
type StoreOwner = z.infer<typeof ownerSchema>

/**
 * Writes this site, with a new generation, as the owner into its remote stores. A store that another copy of the site used
 * meanwhile gets a delete lock until `claimStores`; see docs/decisions/0044-whose-store.md.
 * @returns a sentence for each store that belongs to another site, which gets a delete lock too
 * @throws StoreError
 */
export async function takeStores(place: Place, media: MediaStore): Promise<string[]> {
  const stores = storesElsewhere(media)
  const found: string[] = []
  for (const store of stores) {
    const isOld = store !== media && store !== media.parts?.[0]
    // Two concurrent writes may leave some stores with a broken object.
    const sentence = await withLock(place.db, LOCK, () => takeStore(place, { store, isOld }))
    if (sentence !== undefined) found.push(sentence)
  }
  return found
}

async function takeStore(
  place: Place,
  { store, isOld }: { store: StoreElsewhere; isOld: boolean },
): Promise<string | undefined> {
  const { db } = place
  const { address } = store.remote
  const site = await findSiteMark(db, 'media')
  // The store is read before the record, as another node may write both meanwhile.
  const owner = await readOwner(store)
  const record = await findStoreRecord(place, address)
  const known = record?.deleteLock === null ? record : undefined
  const lock = (reason: string) =>
    changeStoreRecord(place, { address, change: () => ({ generations: [], deleteLock: reason }) })
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
  // The record is written first: a crash in between must not look like another copy.
  await changeStoreRecord(place, {
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
 * Makes this data folder the owner of its stores, and lifts their delete locks.
 * @returns the addresses of the stores
 * @throws CommandError when one belongs to another site
 */
export async function claimStores(place: Place, media: MediaStore): Promise<string[]> {
  await requireOwnStores(place.db, media)
  const stores = storesElsewhere(media)
  for (const store of stores) {
    const { address } = store.remote
    const owner = await readOwner(store)
    const record = { generations: owner ? [owner.generation] : [], deleteLock: null }
    await changeStoreRecord(place, { address, change: () => record })
  }
  return stores.map(({ remote }) => remote.address)
}

/**
 * @returns whether one of the stores names this site as its owner
 * @throws CommandError when a store names another site
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

/** The sentence of the first delete lock of the stores; undefined when files may be deleted. */
export async function findDeleteLock(place: Place, media: MediaStore): Promise<string | undefined> {
  for (const { remote } of storesElsewhere(media)) {
    const deleteLock = (await findStoreRecord(place, remote.address))?.deleteLock
    if (deleteLock) return deleteLock
  }
  return undefined
}

/** Applies the delete locks that other nodes, or an admin, set or lifted. */
export async function refreshDeleteLocks(place: Place, media: MediaStore): Promise<void> {
  await refreshStoreRecords(
    place,
    storesElsewhere(media).map(({ remote }) => remote.address),
  )
}

/** Removes the owner of a store that is empty. */
export async function removeStoreOwner(store: MediaStore): Promise<void> {
  await store.removePrefix(OWNER_KEY)
}

/** Treats unreadable content as another site's. */
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
  `${address} was used by another copy of this site, so nothing is deleted there. If this copy is the one that goes on, run npm run doctor -- --claim-store.`
