import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { engineOf } from '#server/platform/db/engine.ts'
import {
  parseStoreRecords,
  readStoreRecord,
  type StoreRecord,
  writeStoreRecord,
} from '#server/platform/files/s3/store-record.ts'
import { findStoreRecords, updateStoreRecords } from '#server/platform/site/site.queries.ts'

export type Place = { db: Database; dataFolder: string }

type Change = (before: StoreRecord | undefined) => StoreRecord

/**
 * From the data folder, or for several nodes from the database. A database without records was just
 * moved: the data folder's records apply.
 */
export async function findStoreRecord(
  { db, dataFolder }: Place,
  address: string,
): Promise<StoreRecord | undefined> {
  const here = readStoreRecord(dataFolder, address)
  return isShared(db) ? ((await readShared(db))[address] ?? here) : here
}

/** May call `change` several times. */
export async function changeStoreRecord(
  place: Place,
  { address, change }: { address: string; change: Change },
): Promise<void> {
  const { db, dataFolder } = place
  const here = readStoreRecord(dataFolder, address)
  const record = isShared(db)
    ? await inTransaction(db, async (transaction) => {
        const records = await readShared(transaction)
        const changed = change(records[address] ?? here)
        await updateStoreRecords(transaction, JSON.stringify({ ...records, [address]: changed }))
        return changed
      })
    : change(here)
  await writeStoreRecord(dataFolder, { address, record })
}

/** Copies the shared records to the data folder, which deletions consult. */
export async function hearOfStores({ db, dataFolder }: Place, addresses: string[]): Promise<void> {
  if (!isShared(db)) return
  const records = await readShared(db)
  for (const address of addresses) {
    const record = records[address]
    const here = readStoreRecord(dataFolder, address)
    if (!record || JSON.stringify(record) === JSON.stringify(here)) continue
    await writeStoreRecord(dataFolder, { address, record })
  }
}

const isShared = (db: Database) => engineOf(db).line.self !== null

const readShared = async (db: Database) => parseStoreRecords((await findStoreRecords(db)) ?? '{}')
