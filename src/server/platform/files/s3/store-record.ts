import { readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** In the data folder, and in no backup: a restored or copied database must not know it. */
const RECORD_FILE = 'media-store.json'

/** What a data folder, or the database of several nodes, knows of a store elsewhere that it uses. */
export type StoreRecord = {
  /** What it wrote into the store's mark, the last one first. */
  turns: string[]
  /** Why nothing may be deleted there, as a sentence; null when it may. */
  held: string | null
}

/** By the addresses of stores. */
type StoreRecords = z.infer<typeof recordsSchema>
const recordsSchema = z.record(
  z.string(),
  z.object({ turns: z.array(z.string()), held: z.string().nullable() }),
)

/** @param address as `s3Address` has it */
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
    await file.writeFile(JSON.stringify({ ...readRecords(dataFolder), [address]: record }))
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

/** One that cannot be read is none: then nothing is deleted until an admin says so. */
export function parseStoreRecords(json: string): StoreRecords {
  try {
    return recordsSchema.parse(JSON.parse(json))
  } catch {
    return {}
  }
}
