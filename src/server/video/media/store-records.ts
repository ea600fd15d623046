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
 * What a site knows of the store elsewhere at `address`: its data folder knows it, or where several nodes have a database on a
 * server, that. A database that knows nothing yet was moved there; what the data folder knew goes on.
 */
export async function findStoreRecord(
  { db, dataFolder }: Place,
  address: string,
): Promise<StoreRecord | undefined> {
  const here = readStoreRecord(dataFolder, address)
  return isShared(db) ? ((await readShared(db))[address] ?? here) : here
}

/** Changes what is known of a store; `change` may be asked several times. */
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

/**
 * Has this node delete nothing, or delete again, in a store of which another node, or an admin, found out whose it is: what
 * deletes there asks the data folder.
 */
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
