import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { isDatabaseFile } from '#server/platform/db/maintain.ts'
import {
  formatStoreRecords,
  parseStoreRecords,
  readStoreRecord,
  type StoreRecord,
  writeStoreRecord,
} from '#server/platform/files/s3/store-record.ts'
import { findStoreRecords, updateStoreRecords } from '#server/platform/site/site.queries.ts'

export type Place = { db: Database; dataFolder: string }

type Change = (before: StoreRecord | undefined) => StoreRecord

/**
 * Finds what a site knows of the store at `address`. The record is in the data folder, and for a database on a server in the
 * database, so that all nodes have it. A database that was just moved to a server has none yet; the one of the data folder
 * stays valid.
 */
export async function findStoreRecord(
  { db, dataFolder }: Place,
  address: string,
): Promise<StoreRecord | undefined> {
  const here = readStoreRecord(dataFolder, address)
  return isDatabaseFile(db) ? here : ((await readRecords(db))[address] ?? here)
}

/** Changes the record of a store; `change` may run several times. */
export async function changeStoreRecord(
  place: Place,
  { address, change }: { address: string; change: Change },
): Promise<void> {
  const { db, dataFolder } = place
  const here = readStoreRecord(dataFolder, address)
  const record = isDatabaseFile(db)
    ? change(here)
    : await inTransaction(db, async (transaction) => {
        const records = await readRecords(transaction)
        const changed = change(records[address] ?? here)
        await updateStoreRecords(
          transaction,
          formatStoreRecords({ ...records, [address]: changed }),
        )
        return changed
      })
  await writeStoreRecord(dataFolder, { address, record })
}

/**
 * Copies the records of the database into the data folder, which every deletion reads, so that this node respects the delete
 * locks that another node set or lifted.
 */
export async function refreshStoreRecords(
  { db, dataFolder }: Place,
  addresses: string[],
): Promise<void> {
  if (isDatabaseFile(db)) return
  const records = await readRecords(db)
  for (const address of addresses) {
    const record = records[address]
    const here = readStoreRecord(dataFolder, address)
    if (!record || JSON.stringify(record) === JSON.stringify(here)) continue
    await writeStoreRecord(dataFolder, { address, record })
  }
}

const readRecords = async (db: Database) => parseStoreRecords((await findStoreRecords(db)) ?? '{}')
