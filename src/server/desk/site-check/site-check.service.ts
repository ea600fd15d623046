import { z } from 'zod'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { tryLock } from '#server/platform/cluster/locks.ts'
import type { Context } from '#server/platform/context.ts'
import { inTransaction, timestamp } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { problemSchema, type SiteCheck } from '#shared/schemas/desk/storage.schemas.ts'
import { CommandFailedError, runCommandProcess } from '../command-process/command-process.ts'
import {
  endInterruptedChecks,
  findLastSiteCheck,
  insertSiteCheck,
  updateSiteCheck,
} from './site-check.queries.ts'

type Deps = Pick<Context, 'config' | 'closing' | 'db' | 'log'>

export const CHECK_LOCK = 'check'

const PROBLEMS_KEPT = 500
const EXIT_PROBLEMS = 1

const foundSchema = z.object({
  problems: z.array(problemSchema),
  videos: z.int(),
  files: z.int(),
})
type Found = z.infer<typeof foundSchema>
const lineSchema = z.union([foundSchema, z.object({ percent: z.number() })])

/**
 * In its own process.
 * @throws `conflict` while one runs
 */
export async function startSiteCheck(deps: Deps, input: { viewer: Viewer }): Promise<SiteCheck> {
  const { db } = deps
  const release = await tryLock(db, CHECK_LOCK)
  if (!release) throw new AppError('conflict', 'The files are being checked already.')
  const started = await recordStart(deps, input).catch(async (error) => {
    await release()
    throw error
  })
  runCheck(deps, started.id)
    .catch((error) => deps.log.warn({ err: error }, 'a check could not be recorded'))
    .finally(release)
  return started
}

async function recordStart({ db }: Deps, input: { viewer: Viewer }): Promise<SiteCheck> {
  await inTransaction(db, async (transaction) => {
    await endInterruptedChecks(transaction, 'The server was stopped meanwhile.')
    const target = { kind: 'site', id: null, name: 'Database and files' } as const
    await insertAuditEntry(transaction, { actor: input.viewer, action: 'site.check', target })
    await insertSiteCheck(transaction)
  })
  const started = await findLastSiteCheck(db)
  if (!started) throw new AppError('not-found', 'There is no such check.')
  return started
}

async function runCheck(deps: Deps, id: number): Promise<void> {
  const { db } = deps
  const results: Found[] = []
  const onLine = (line: string) => {
    const said = readLine(line)
    if (said && 'problems' in said) results.push(said)
    else if (said) updateSiteCheck(db, { id, change: said }).catch(() => {})
  }
  try {
    const expected = [EXIT_PROBLEMS]
    await runCommandProcess(deps, { command: 'doctor', words: ['--json'], expected, onLine })
    const [found] = results
    if (!found) throw new CommandFailedError('The check ended without a result.')
    const { problems, videos, files } = found
    await updateSiteCheck(db, {
      id,
      change: {
        state: 'done',
        percent: 100,
        finishedAt: timestamp(),
        videos,
        files,
        problemCount: problems.length,
        problems: JSON.stringify(problems.slice(0, PROBLEMS_KEPT)),
      },
    })
  } catch (error) {
    // At shutdown the database may be closed; the next start ends the row.
    if (deps.closing.aborted) return
    const text = error instanceof CommandFailedError ? error.message : 'The check broke off.'
    deps.log.warn({ err: error }, 'checking the files failed')
    const finishedAt = timestamp()
    await updateSiteCheck(db, { id, change: { state: 'failed', finishedAt, error: text } })
  }
}

function readLine(line: string): z.infer<typeof lineSchema> | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
