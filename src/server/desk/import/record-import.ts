/** The row of a running import, by which the desk shows and stops it. */
import { type Database, timestamp } from '#server/platform/db/database.ts'
import type { ImportReport } from '#shared/schemas/desk/import.schemas.ts'
import type { ForeignLibrary } from './foreign-library.ts'
import { type ImportListeners, type ImportProgress, ImportStoppedError } from './import-deps.ts'
import {
  endOtherImports,
  findImport,
  type ImportRow,
  insertImport,
  updateImport,
} from './import-run.queries.ts'
import type { ImportResult } from './import-videos.ts'

const EVERY_MS = 2000
const PROBLEMS_KEPT = 500
const NOTES_KEPT = 100
const INTERRUPTED = 'It was interrupted. Start it again to continue it.'

export type ImportRecord = Awaited<ReturnType<typeof beginRecord>>

/**
 * @param input.id of the row that the desk has inserted
 * @returns functions that never fail because of the row: the import matters more
 */
export async function beginRecord(
  db: Database,
  { id: given, row }: { id: number | undefined; row: Parameters<typeof insertImport>[1] },
) {
  await endOtherImports(db, { exceptId: given, error: INTERRUPTED })
  const id = given ?? (await insertImport(db, row))
  let progress: ImportProgress | undefined
  let isStopAsked = false
  const store = async () => {
    const change = { seenAt: timestamp(), ...(progress && { progress: JSON.stringify(progress) }) }
    await updateImport(db, { id, change })
    const now = await findImport(db, id)
    isStopAsked = now?.isStopAsked === 1 || now?.state !== 'running'
  }
  const timer = setInterval(() => void store().catch(() => {}), EVERY_MS)
  await store()
  const requireWanted = () => {
    if (isStopAsked) throw new ImportStoppedError()
  }
  return {
    id,
    listeners: {
      onProgress(now) {
        progress = now
        requireWanted()
      },
      onFetched: requireWanted,
    } satisfies Pick<ImportListeners, 'onProgress' | 'onFetched'>,

    async end(input: {
      result: ImportResult | undefined
      library: ForeignLibrary | undefined
      error: unknown
    }): Promise<void> {
      clearInterval(timer)
      const { result, library, error } = input
      const state: ImportRow['state'] =
        error instanceof ImportStoppedError ? 'stopped' : error === undefined ? 'done' : 'failed'
      const change = {
        ...{ state, finishedAt: timestamp(), seenAt: timestamp() },
        ...(progress && { progress: JSON.stringify(progress) }),
        ...(result && { report: JSON.stringify(reportOf(result, library)) }),
        ...(state === 'failed' && { error: sentenceOf(error) }),
      }
      await updateImport(db, { id, change }).catch(() => false)
    },
  }
}

function reportOf(result: ImportResult, library: ForeignLibrary | undefined): ImportReport {
  const { imported, there, bytes, playlists, problems, notes } = result
  return {
    ...{ imported, there, bytes, playlists, problemCount: problems.length },
    problems: problems.slice(0, PROBLEMS_KEPT),
    notes: [
      ...(library?.notes ?? []),
      ...notes.map(({ path, sentence }) => `${path}: ${sentence}`),
    ].slice(0, NOTES_KEPT),
  }
}

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
