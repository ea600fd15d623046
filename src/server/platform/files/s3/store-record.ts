import { readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** In no backup: a restored or copied database must not know it. */
const RECORD_FILE = 'media-store.json'

export type StoreRecord = {
  /** Newest first. */
  generations: string[]
  /** Why nothing may be deleted there; null if it may. */
  deleteLock: string | null
}

type StoreRecords = Record<string, StoreRecord>

/** Names from older versions. */
const recordsSchema = z.record(
  z.string(),
  z
    .object({ turns: z.array(z.string()), held: z.string().nullable() })
    .transform(({ turns, held }) => ({ generations: turns, deleteLock: held })),
)

/** @param address from `s3Address` */
export function readStoreRecord(dataFolder: string, address: string): StoreRecord | undefined {
  return readRecords(dataFolder)[address]
}

export async function writeStoreRecord(
  dataFolder: string,
  { address, record }: { address: string; record: StoreRecord },
): Promise<void> {
  const path = join(dataFolder, RECORD_FILE)
  const file = await open(`${path}.partial`, 'w')
  try {
    await file.writeFile(formatStoreRecords({ ...readRecords(dataFolder), [address]: record }))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.partial`, path)
}

function readRecords(dataFolder: string): StoreRecords {
  try {
    return parseStoreRecords(readFileSync(join(dataFolder, RECORD_FILE), 'utf8'))
  } catch {
    return {}
  }
}

/** None for unreadable text: then nothing is deleted until an admin allows it. */
export function parseStoreRecords(json: string): StoreRecords {
  try {
    return recordsSchema.parse(JSON.parse(json))
  } catch {
    return {}
  }
}

export function formatStoreRecords(records: StoreRecords): string {
  const written = Object.entries(records).map(([address, { generations, deleteLock }]) => [
    address,
    { turns: generations, held: deleteLock },
  ])
  return JSON.stringify(Object.fromEntries(written))
}
