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

export type RecordLocation = { db: Database; dataFolder: string }

type Change = (before: StoreRecord | undefined) => StoreRecord

/**
 * On PostgreSQL in the database, for all nodes; after a move to it, that of the data folder holds
 * until the first write.
 */
export async function findStoreRecord(
  { db, dataFolder }: RecordLocation,
  address: string,
): Promise<StoreRecord | undefined> {
  const here = readStoreRecord(dataFolder, address)
  return isDatabaseFile(db) ? here : ((await readRecords(db))[address] ?? here)
}

/** `change` may run again. */
export async function changeStoreRecord(
  location: RecordLocation,
  { address, change }: { address: string; change: Change },
): Promise<void> {
  const { db, dataFolder } = location
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

/** Into the data folder, which each deletion reads for delete locks. */
export async function refreshStoreRecords(
  { db, dataFolder }: RecordLocation,
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
