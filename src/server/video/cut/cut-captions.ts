import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '#server/platform/db/database.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import { sizeOf } from '#server/platform/files/durable-files.ts'
import { cutCaptions } from '#shared/cut-captions.ts'
import type { CutPart } from '#shared/schemas/cut.schemas.ts'
import { listCaptions } from '../media/media-file.queries.ts'
import type { CutCaptions } from './cut.queries.ts'

/** Writes into `work` what of a video's captions belongs to the parts of it that are kept. */
export async function writeCutCaptions(
  { db, disk }: { db: Database; disk: Disk },
  input: { source: { id: number; mediaKey: string }; parts: readonly CutPart[]; work: string },
): Promise<CutCaptions[]> {
  const { source, parts, work } = input
  const made: CutCaptions[] = []
  for (const { language, label, file: old } of await listCaptions(db, source.id)) {
    const path = join(disk.mediaFolder(source.mediaKey), old)
    if ((await sizeOf(path)) === undefined) continue
    const text = cutCaptions(await readFile(path, 'utf8'), parts)
    if (text === null) continue
    const file = `captions-${randomBytes(6).toString('hex')}.vtt`
    await writeFile(join(work, file), text)
    made.push({ language, label, file })
  }
  return made
}
