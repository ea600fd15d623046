import { readdir, realpath } from 'node:fs/promises'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import type { Context } from '#server/platform/context.ts'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { isInFolder } from '#server/platform/path-in-folder.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { DESK_SOURCES, type DeskSource } from '#shared/import-sources.ts'
import type { ImportPlaces, ImportRun, StartImport } from '#shared/schemas/desk/import.schemas.ts'
import { CommandFailedError, runCommandProcess } from '../command-process/command-process.ts'
import { findImportOwner } from './import.queries.ts'
import {
  findImport,
  type ImportRow,
  insertImport,
  type ListedImport,
  listImports,
  updateImport,
} from './import-run.queries.ts'

type Deps = Pick<Context, 'config' | 'closing' | 'db'> & {
  log: { warn: (details: object, message: string) => void }
}

/** A running import writes its row every two seconds. */
const SILENT_MS = 60_000
const ENTRIES_MAX = 500

type Options = { videosPath?: string | null; author?: string | null }

export async function listRuns({ db }: Pick<Deps, 'db'>): Promise<ImportRun[]> {
  return (await listImports(db)).map(describe)
}

const isSilent = ({ seenAt }: ImportRow) => Date.now() - Date.parse(seenAt) > SILENT_MS

function describe(row: ListedImport): ImportRun {
  const { id, source, given, ownerName, startedAt, finishedAt, error } = row
  return {
    ...{ id, source, given, ownerName, startedAt, finishedAt, error },
    isFromDesk: row.isFromDesk === 1,
    state: stateOf(row),
    progress: row.progress === null ? null : JSON.parse(row.progress),
    report: row.report === null ? null : JSON.parse(row.report),
    again: againOf(row),
  }
}

function stateOf(row: ImportRow): ImportRun['state'] {
  if (row.state !== 'running') return row.state
  if (isSilent(row)) return 'interrupted'
  return row.isStopAsked === 1 ? 'stopping' : 'running'
}

/** Those of the shell have paths that the desk may not use. */
function againOf(row: ListedImport): ImportRun['again'] {
  const source = DESK_SOURCES.find((one): one is DeskSource => one === row.source)
  if (!source || row.isFromDesk === 0) return null
  const { videosPath = null, author = null } = JSON.parse(row.options) as Options
  return { source, owner: row.ownerName, path: row.given, videosPath, author }
}

/** Lists what can be imported from the folders that the environment names. */
export function listPlaces({ config }: Pick<Deps, 'config'>): Promise<ImportPlaces> {
  return Promise.all(
    config.importFolders.map(async (folder) => {
      try {
        const found = await readdir(folder, { withFileTypes: true })
        const entries = found
          .filter((one) => !one.name.startsWith('.'))
          .filter((one) => one.isDirectory() || one.isSymbolicLink() || /\.zip$/i.test(one.name))
          .map(({ name }) => name)
          .sort((one, other) => one.localeCompare(other))
        return { folder, entries: entries.slice(0, ENTRIES_MAX), problem: null }
      } catch {
        return { folder, entries: [], problem: 'The site cannot read this folder.' }
      }
    }),
  )
}

/**
 * Starts an import in its own process; its row has the outcome.
 * @throws `conflict` while one runs, `not-found` for a path outside the folders and an unknown owner
 */
export async function startImport(
  deps: Deps,
  { viewer, ...input }: StartImport & { viewer: Viewer },
): Promise<{ id: number }> {
  const { db } = deps
  const [last] = await listImports(db)
  if (last?.state === 'running' && !isSilent(last)) {
    throw new AppError('conflict', 'Another import is running. Stop it, or wait until it is done.')
  }
  const owner = await findImportOwner(db, input.owner)
  if (!owner) {
    throw new AppError('not-found', `No member named '${input.owner}' may publish videos.`)
  }
  const { given, words, options } = await describeCall(deps, input)
  const { source } = input
  const id = await insertImport(db, {
    ...{ source, given, options: JSON.stringify(options), ownerId: owner.id, isFromDesk: 1 },
  })
  const target = { kind: 'member', id: owner.id, name: owner.username } as const
  const reason = `From ${source}: ${given}`
  await insertAuditEntry(db, { actor: viewer, action: 'member.import', target, reason })
  const secret = source === 'mediacms' ? input.token : undefined
  run(deps, { id, words: [source, ...words, '--owner', owner.username], secret }).catch((err) =>
    deps.log.warn({ err }, 'the outcome of an import could not be recorded'),
  )
  return { id }
}

async function describeCall(
  deps: Deps,
  input: StartImport,
): Promise<{ given: string; words: string[]; options: Options }> {
  if (input.source === 'mediacms') {
    const { origin } = new URL(input.address)
    const author = input.author || null
    const words = [origin, '--token-file', '-', ...(author === null ? [] : [`--author=${author}`])]
    return { given: origin, words, options: { author } }
  }
  const path = await requireAllowed(deps, input.path)
  const videosPath =
    input.source === 'fireshare' && input.videosPath
      ? await requireAllowed(deps, input.videosPath)
      : null
  const words = [path, ...(videosPath === null ? [] : [`--videos=${videosPath}`])]
  return { given: path, words, options: { videosPath } }
}

/** @returns the real path, so that no link leads out of the folders */
async function requireAllowed({ config }: Deps, path: string): Promise<string> {
  const real = path.includes('\0') ? undefined : await realpath(path).catch(() => undefined)
  for (const folder of config.importFolders) {
    const root = await realpath(folder).catch(() => undefined)
    if (real !== undefined && root !== undefined && isInFolder(real, root)) return real
  }
  const sentence = 'There is no such folder or file in the folders that IMPORT_FOLDERS names.'
  throw new AppError('not-found', sentence)
}

async function run(
  deps: Deps,
  { id, words, secret }: { id: number; words: string[]; secret: string | undefined },
): Promise<void> {
  const { db } = deps
  try {
    await runCommandProcess(deps, {
      ...{ command: 'import', words: [...words, '--run', String(id)] },
      ...(secret !== undefined && { secret }),
      environment: environmentOf(deps),
    })
    await fail(db, id, 'The import ended without a report.')
  } catch (error) {
    // At shutdown the database may be closed; the row shows that it was interrupted.
    if (deps.closing.aborted) return
    const text = error instanceof CommandFailedError ? error.message : 'The import broke off.'
    if (await fail(db, id, text)) deps.log.warn({ err: error, import: id }, 'an import failed')
  }
}

/** @returns false if the process has stored its outcome, such as that some videos did not come */
function fail(db: Database, id: number, error: string): Promise<boolean> {
  const change = { state: 'failed' as const, finishedAt: timestamp(), error }
  return updateImport(db, { id, change })
}

/** Returns the variables of the site that concern uploads. */
function environmentOf({ config }: Deps): Record<string, string> {
  const { userQuotaBytes, publicUrl } = config
  return {
    MAX_VIDEO_BYTES: String(config.maxVideoBytes),
    MAX_THUMBNAIL_BYTES: String(config.maxThumbnailBytes),
    ...(userQuotaBytes !== undefined && { USER_QUOTA_BYTES: String(userQuotaBytes) }),
    ...(publicUrl !== undefined && { PUBLIC_URL: publicUrl }),
    LOCAL_HOSTS: config.localHosts.join(','),
  }
}

/** @throws `not-found`, `conflict` if it is over */
export async function stopImport({ db }: Pick<Deps, 'db'>, { id }: { id: number }): Promise<void> {
  if (!(await findImport(db, id))) throw new AppError('not-found', 'There is no such import.')
  if (await updateImport(db, { id, change: { isStopAsked: 1 } })) return
  throw new AppError('conflict', 'This import is over.')
}
