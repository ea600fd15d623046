import { readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Not in backups: a restored database must not inherit it. */
const RECORD_FILE = 'media-store.json'

export type StoreRecord = {
  /** Values written to the store's mark, newest first. */
  turns: string[]
  /** Reason why nothing may be deleted. */
  held: string | null
}

type StoreRecords = z.infer<typeof recordsSchema>
const recordsSchema = z.record(
  z.string(),
  z.object({ turns: z.array(z.string()), held: z.string().nullable() }),
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

/** An unreadable record counts as none: nothing is deleted until an admin confirms. */
export function parseStoreRecords(json: string): StoreRecords {
  try {
    return recordsSchema.parse(JSON.parse(json))
  } catch {
    return {}
  }
}
