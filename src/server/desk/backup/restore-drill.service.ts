import { z } from 'zod'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { mediaAddress } from '#server/platform/files/open-media-store.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { BackupSafety, RestoreDrill } from '#shared/schemas/desk/storage.schemas.ts'
import { CommandFailedError, runCommandProcess } from '../command-process/command-process.ts'
import { hasBackup } from './backup.queries.ts'
import { hasFileBackups, requireFileBackups } from './file-backups.ts'
import { findLastDrill, finishDrill, insertDrill } from './restore-drill.queries.ts'

type Log = { warn: (details: object, message: string) => void }
type Deps = Pick<AppDeps, 'config' | 'closing' | 'db'> & { log: Log }

/** Shorter, so that the hour does not drift. */
const DAY_MS = 23 * 3_600_000
const MONTH_MS = 30 * 24 * 3_600_000 - 3_600_000
const DRILL_HOUR = 4

const proofSchema = z.object({
  name: z.string(),
  videos: z.int(),
  files: z.int(),
  bytes: z.number(),
})

export async function readBackupSafety(
  deps: Pick<AppDeps, 'config' | 'db'>,
): Promise<BackupSafety> {
  const { offsite } = deps.config
  return {
    isMadeHere: hasFileBackups(deps.db),
    mediaStore: mediaAddress(deps.config.media) ?? null,
    offsite: offsite
      ? { target: offsite.target, isEncrypted: offsite.recipient !== undefined }
      : null,
    lastDrill: (await findLastDrill(deps.db)) ?? null,
    lastProof: (await findLastDrill(deps.db, 'done')) ?? null,
  }
}

/**
 * In its own process; the row has the result.
 * @throws `conflict` while one runs, and without a database file
 */
export async function startRestoreDrill(
  deps: Deps,
  input: { viewer: Viewer },
): Promise<RestoreDrill> {
  requireFileBackups(deps.db)
  const id = await openDrill(deps, input.viewer)
  run(deps, id).catch((err) => deps.log.warn({ err }, 'a restore drill could not be recorded'))
  const drill = await findLastDrill(deps.db)
  if (!drill) throw new AppError('not-found', 'There is no such drill.')
  return drill
}

/**
 * After a failure again the next day.
 * @returns when complete
 */
export async function makeMonthlyDrill(deps: Deps, now: Date = new Date()): Promise<void> {
  const { db } = deps
  if (!hasFileBackups(db)) return
  const { backupHour } = await findSiteSettings(db)
  if (now.getHours() !== (backupHour ?? DRILL_HOUR)) return
  const [last, proof] = [await findLastDrill(db), await findLastDrill(db, 'done')]
  // The clock may be set back.
  const isWithin = (drill: RestoreDrill | undefined, span: number) =>
    drill !== undefined && Math.abs(now.getTime() - Date.parse(drill.startedAt)) < span
  if (isWithin(proof, MONTH_MS) || isWithin(last, DAY_MS) || last?.state === 'running') return
  if (await hasBackup(db)) await run(deps, await openDrill(deps, null))
}

async function openDrill({ config, db }: Deps, actor: Viewer | null): Promise<number> {
  return inTransaction(db, async (transaction) => {
    if ((await findLastDrill(transaction))?.state === 'running') {
      throw new AppError('conflict', 'A restore is being tried already.')
    }
    const id = await insertDrill(transaction, { isOffsite: config.offsite !== undefined })
    const target = { kind: 'backup', id, name: 'The newest one' } as const
    await insertAuditEntry(transaction, { actor, action: 'backup.prove', target })
    return id
  })
}

async function run(deps: Deps, id: number): Promise<void> {
  const { db } = deps
  try {
    let printed = ''
    await runCommandProcess(deps, {
      ...{ command: 'restore-drill', words: ['--json'] },
      onLine: (line) => {
        printed = line
      },
    })
    const { name, ...proven } = proofSchema.parse(JSON.parse(printed))
    await finishDrill(db, { id, change: { state: 'done', backupName: name, ...proven } })
  } catch (error) {
    // At shutdown the database may be closed; the next start ends the row.
    if (deps.closing.aborted) return
    const text = error instanceof CommandFailedError ? error.message : 'The drill broke off.'
    deps.log.warn({ err: error }, 'a restore drill failed')
    await finishDrill(db, { id, change: { state: 'failed', error: text } })
  }
}
