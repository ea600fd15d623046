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

/** The object that says whose a store is. */
const MARK_KEY = 'site.json'
/** More than one, as a store may answer with an earlier mark for a while, and nodes may start at the same time. */
const TURNS_KEPT = 20
/** So many folders of a store without a mark are compared with the rows. */
const COMPARED = 500

const markSchema = z.object({ site: z.string(), turn: z.string() })
type Mark = z.infer<typeof markSchema>

/**
 * Marks the stores elsewhere as this site's, and as last used by this data folder, or the nodes of this database. From then
 * on nothing is deleted in one that another copy of the site used meanwhile, until `claimStores`; see
 * docs/decisions/0044-whose-store.md.
 * @returns a sentence for each that belongs to another site: nothing is deleted there either
 * @throws StoreError
 */
export async function takeStores(place: Place, media: MediaStore): Promise<string[]> {
  const stores = storesElsewhere(media)
  const found: string[] = []
  for (const store of stores) {
    const isOld = store !== media && store !== media.parts?.[0]
    // Not every store has one of two marks whole that are put at the same time.
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
  // First what is there, then what is known: another node may write both meanwhile.
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
  // First here: a crash before the store has it must not look like another copy.
  await changeStoreRecord(place, {
    address,
    change: (before) => ({ turns: [turn, ...(before?.turns ?? [])].slice(0, TURNS_KEPT), held }),
  })
  await store.put([{ key: MARK_KEY, bytes: Buffer.from(JSON.stringify({ site, turn })) }])
  return undefined
}

/**
 * Says that this data folder is the one that goes on with its stores.
 * @returns their addresses
 * @throws CommandError when one belongs to another site
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
 * @returns whether one of them was used before
 * @throws CommandError when a store is marked as another site's
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

/** Why nothing may be deleted in one of the stores, as a sentence; undefined when it may. */
export async function findHold(place: Place, media: MediaStore): Promise<string | undefined> {
  for (const { remote } of storesElsewhere(media)) {
    const held = (await findStoreRecord(place, remote.address))?.held
    if (held) return held
  }
  return undefined
}

/** Has this node know what other nodes, or an admin, found out about the stores. */
export async function hearOfHolds(place: Place, media: MediaStore): Promise<void> {
  await hearOfStores(
    place,
    storesElsewhere(media).map(({ remote }) => remote.address),
  )
}

/** Takes a store out of a site's hands that has nothing of it any more. */
export async function removeMark(store: MediaStore): Promise<void> {
  await store.removePrefix(MARK_KEY)
}

/** What cannot be read belongs to somebody else. */
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
