import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppDeps } from '#server/platform/deps.ts'
import { storeKey, withLocalCopies } from '#server/platform/files/media-store.ts'
import { cutCaptions } from '#shared/cut-captions.ts'
import type { CutPart } from '#shared/schemas/cut.schemas.ts'
import { listCaptions } from '../media/media-file.queries.ts'
import type { CutCaptions } from './cut.queries.ts'

export async function writeCutCaptions(
  { db, media }: Pick<AppDeps, 'db' | 'media'>,
  input: { source: { id: number; mediaKey: string }; parts: readonly CutPart[]; work: string },
): Promise<CutCaptions[]> {
  const { source, parts, work } = input
  const made: CutCaptions[] = []
  for (const { language, label, file: old } of await listCaptions(db, source.id)) {
    const whole = await withLocalCopies(media, [storeKey(source.mediaKey, old)], async ([path]) =>
      path === undefined ? null : readFile(path, 'utf8'),
    )
    const text = whole === null ? null : cutCaptions(whole, parts)
    if (text === null) continue
    const file = `captions-${randomBytes(6).toString('hex')}.vtt`
    await writeFile(join(work, file), text)
    made.push({ language, label, file })
  }
  return made
}
