import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Database } from '#server/platform/db/database.ts'
import { lineOf } from '#server/platform/db/engine.ts'
import { CommandError } from '#server/platform/errors.ts'
import {
  type MediaStore,
  type StoreElsewhere,
  storesElsewhere,
} from '#server/platform/files/media-store.ts'
import { listFolders } from '#server/platform/files/stored-folders.ts'
import { findSiteMark } from '#server/platform/site/site.queries.ts'
import { listKnownMedia, listOpenUploads } from './media-folder.queries.ts'
import { changeStoreRecord, findStoreRecord, hearOfStores, type Place } from './store-records.ts'

const MARK_KEY = 'site.json'
/** Stores may return older marks for a while, and nodes may start together. */
const TURNS_KEPT = 20
const COMPARED = 500

const markSchema = z.object({ site: z.string(), turn: z.string() })
type Mark = z.infer<typeof markSchema>

/**
 * Records this site as owner and this data folder (or database) as last user. Deletion stops if
 * another copy of the site uses the store, until `claimStores`; see
 * docs/decisions/0044-whose-store.md.
 * @returns a sentence per store of another site, where nothing is deleted either
 * @throws StoreError
 */
export async function takeStores(place: Place, media: MediaStore): Promise<string[]> {
  const stores = storesElsewhere(media)
  const found: string[] = []
  for (const store of stores) {
    const isOld = store !== media && store !== media.parts?.[0]
    // Concurrent writes of marks may corrupt them in some stores.
    const sentence = await lineOf(place.db).withLock('store-mark', () =>
      takeStore(place, { store, isOld }),
    )
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
  // Reads the store first, because another node may write both meanwhile.
  const mark = await readMark(store)
  const record = await findStoreRecord(place, address)
  const known = record?.held === null ? record : undefined
  const forget = (held: string) =>
    changeStoreRecord(place, { address, change: () => ({ turns: [], held }) })
  const other = describeOther(address)
  let held = record?.held ?? null
  if (mark) {
    if (mark.site !== site) {
      await forget(other)
      return other
    }
    if (!record?.turns.includes(mark.turn)) held = describeCopy(address)
  } else if (!known) {
    const { own, unknown } = await countFolders(db, store)
    if (own + unknown === 0 && isOld) return undefined
    if (own === 0 && unknown > 0) {
      await forget(other)
      return other
    }
    held = unknown > own ? describeCopy(address) : null
  }
  const turn = randomUUID()
  // Local first: after a crash in between, this must not look like another copy.
  await changeStoreRecord(place, {
    address,
    change: (before) => ({ turns: [turn, ...(before?.turns ?? [])].slice(0, TURNS_KEPT), held }),
  })
  await store.put([{ key: MARK_KEY, bytes: Buffer.from(JSON.stringify({ site, turn })) }])
  return undefined
}

/**
 * Confirms this data folder as the rightful user.
 * @returns addresses
 * @throws CommandError for another site's store
 */
export async function claimStores(place: Place, media: MediaStore): Promise<string[]> {
  await requireOwnStores(place.db, media)
  const stores = storesElsewhere(media)
  for (const store of stores) {
    const { address } = store.remote
    const mark = await readMark(store)
    const record = { turns: mark ? [mark.turn] : [], held: null }
    await changeStoreRecord(place, { address, change: () => record })
  }
  return stores.map(({ remote }) => remote.address)
}

/**
 * @returns whether a store was used before
 * @throws CommandError for another site's store
 */
export async function requireOwnStores(db: Database, media: MediaStore): Promise<boolean> {
  let isMarked = false
  for (const store of storesElsewhere(media)) {
    const site = await findSiteMark(db, 'media')
    const mark = await readMark(store)
    if (!mark) continue
    if (mark.site !== site) throw new CommandError(describeOther(store.remote.address))
    isMarked = true
  }
  return isMarked
}

export async function findHold(place: Place, media: MediaStore): Promise<string | undefined> {
  for (const { remote } of storesElsewhere(media)) {
    const held = (await findStoreRecord(place, remote.address))?.held
    if (held) return held
  }
  return undefined
}

/** Takes over findings of other nodes and admins. */
export async function hearOfHolds(place: Place, media: MediaStore): Promise<void> {
  await hearOfStores(
    place,
    storesElsewhere(media).map(({ remote }) => remote.address),
  )
}

/** Releases a store that is empty. */
export async function removeMark(store: MediaStore): Promise<void> {
  await store.removePrefix(MARK_KEY)
}

/** An unreadable mark belongs to another site. */
async function readMark(store: MediaStore): Promise<Mark | undefined> {
  const body = await store.openRange(MARK_KEY)
  if (!body) return undefined
  const written = await text(body)
  try {
    return markSchema.parse(JSON.parse(written))
  } catch {
    return { site: '', turn: '' }
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
