/** The command can run beside the server. Repeating it continues an interrupted import. */
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { countOf, formatBytes } from '#shared/text/format.ts'
import { oneLine } from '../desk/import/describe-video.ts'
import {
  type ForeignLibrary,
  type ForeignProblem,
  SOURCE_OPTIONS,
  type SourceOption,
} from '../desk/import/foreign-library.ts'
import { findImportOwner } from '../desk/import/import.queries.ts'
import type { ImportDeps, ImportListeners } from '../desk/import/import-deps.ts'
import { IMPORT_SOURCES } from '../desk/import/import-sources.ts'
import { type ImportResult, importVideos } from '../desk/import/import-videos.ts'
import { beginRecord, type ImportRecord } from '../desk/import/record-import.ts'
import { clearTemporaryFiles } from '../desk/import/temporary-file.ts'
import { busOf } from '../platform/cluster/cluster.ts'
import { tryLock } from '../platform/cluster/locks.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db/database.ts'
import { beginImport } from '../platform/db/maintain.ts'
import { requireCurrentSchema } from '../platform/db/migrate.ts'
import { openSiteDatabase } from '../platform/db/site-database.ts'
import { CommandError, EXIT_FAILED } from '../platform/errors.ts'
import { createLiveFeed } from '../platform/events/live-feed.ts'
import { openDisk } from '../platform/files/disk.ts'
import { openMediaForCommand } from '../platform/files/open-media-store.ts'
import { createOutgoing } from '../platform/outgoing/outgoing.ts'
import { listCategories } from '../platform/site/site.queries.ts'
import { findUploadLimits, listLocalHosts } from '../platform/site/site.service.ts'
import { requireOwnStores } from '../video/media/store-owner.ts'
import {
  complain,
  EXIT_WRONG_CALL,
  readArguments,
  requireSite,
  runCommand,
  say,
} from './command-line.ts'

const EXAMPLES = Object.entries(IMPORT_SOURCES).map(
  ([name, { usage }]) => `  npm run import -- ${name} ${usage} --owner USERNAME [--dry-run]`,
)
const SOURCE_NAMES = Object.keys(IMPORT_SOURCES) as (keyof typeof IMPORT_SOURCES)[]
const USAGE = ['Say what to import, and whose it becomes:', ...EXAMPLES].join('\n')
const IS_IMPORTING = 'Another import into this site is running.'
const PROGRESS_MS = 2000
const NO_LOG = { info: () => {} }

await runCommand(async () => {
  const options = {
    videos: { type: 'string' },
    title: { type: 'string' },
    'token-file': { type: 'string' },
    author: { type: 'string' },
    owner: { type: 'string' },
    'dry-run': { type: 'boolean' },
    // The row that the desk has inserted.
    run: { type: 'string' },
  } as const
  const { values, positionals } = readArguments(options, USAGE)
  const [name = '', given = '', ...others] = positionals
  const source = SOURCE_NAMES.find((one) => one === name)
  if (!source || given === '' || others.length > 0 || !values.owner) {
    throw new CommandError(USAGE, EXIT_WRONG_CALL)
  }
  const chosen = chooseOptions(source, values)
  const isDryRun = values['dry-run'] ?? false
  const config = requireSite()
  const end = beginImport(config.dataFolder)
  if (!end) throw new CommandError(IS_IMPORTING)
  const db = await openSiteDatabase(config)
  const { media, close } = await openMediaForCommand(config)
  let library: ForeignLibrary | undefined
  let result: ImportResult | undefined
  let record: ImportRecord | undefined
  try {
    await requireCurrentSchema(db)
    await requireOwnStores(db, media)
    // `beginImport` locks only this machine.
    if (!(await tryLock(db, 'import'))) throw new CommandError(IS_IMPORTING)
    const viewer = await findImportOwner(db, values.owner)
    if (!viewer) throw new CommandError(`No member named '${values.owner}' may publish videos.`)
    const deps = { ...openParts(config, db), media }
    if (!isDryRun) {
      const options = { author: values.author, videosPath: values.videos }
      record = await beginRecord(db, {
        id: values.run === undefined ? undefined : Number(values.run),
        row: {
          ...{ source, given: withoutKey(given), options: JSON.stringify(options) },
          ...{ ownerId: viewer.id, isFromDesk: 0 },
        },
      })
    }
    for (const path of Object.values(deps.disk.folders)) await mkdir(path, { recursive: true })
    await clearTemporaryFiles(deps.disk)
    library = await IMPORT_SOURCES[source].read({
      ...{ given, path: resolve(given), options: chosen, config, disk: deps.disk },
      categories: await listCategories(db),
      maxBytes: (await findUploadLimits(deps)).maxVideoBytes,
      outgoing: createOutgoing({ log: NO_LOG, localHosts: () => listLocalHosts(deps) }),
    })
    const wanted = { source, library, viewer, isDryRun }
    const shown = createProgress(isDryRun)
    result = await importVideos(deps, wanted, {
      onProgress(progress) {
        record?.listeners.onProgress(progress)
        shown.onProgress(progress)
      },
      onFetched(bytes) {
        record?.listeners.onFetched()
        shown.onFetched(bytes)
      },
      ...(!values.run && { onLink: ({ title, token }) => sayLink(config, { title, token }) }),
    })
    for (const note of library.notes) say(note)
    report(result, isDryRun)
    if (result.cause !== undefined) throw result.cause
    await record?.end({ result, library, error: undefined })
    return result.problems.length === 0 ? 0 : EXIT_FAILED
  } catch (error) {
    await record?.end({ result, library, error })
    throw error
  } finally {
    await library?.close?.()
    await db.destroy()
    await close()
    end()
  }
})

/** @throws CommandError for an option that the source does not have */
function chooseOptions(
  source: keyof typeof IMPORT_SOURCES,
  values: Partial<Record<SourceOption, string>>,
): Partial<Record<SourceOption, string>> {
  const { options: known = [] } = IMPORT_SOURCES[source]
  const given = SOURCE_OPTIONS.filter((option) => values[option] !== undefined)
  const unknown = given.find((option) => !known.includes(option))
  if (unknown) {
    const sentence = `An import from ${source} has no option --${unknown}.`
    throw new CommandError(`${sentence}\n${USAGE}`, EXIT_WRONG_CALL)
  }
  return Object.fromEntries(given.map((option) => [option, values[option]]))
}

/** The query of an address may be a key, so it is left out. */
function withoutKey(given: string): string {
  const url = URL.parse(given)
  return url && /^https?:$/.test(url.protocol) ? `${url.origin}${url.pathname}` : resolve(given)
}

const sayLink = ({ publicUrl }: Config, { title, token }: { title: string; token: string }) =>
  say(`"${title}" opens with its password at ${publicUrl ?? ''}/s/${token}`)

/** The site's own process runs the jobs. */
function openParts(config: Config, db: Database): Omit<ImportDeps, 'media'> {
  return {
    ...{ config, db, disk: openDisk(config.dataFolder), live: createLiveFeed(busOf(db)) },
    deadline: new AbortController().signal,
    jobs: { wake: () => {} },
  }
}

function createProgress(isDryRun: boolean): Pick<ImportListeners, 'onProgress' | 'onFetched'> {
  let saidAt = performance.now()
  const saySeldom = (line: () => string) => {
    if (isDryRun || performance.now() - saidAt < PROGRESS_MS) return
    saidAt = performance.now()
    say(line())
  }
  return {
    onProgress: ({ done, all, bytes, allBytes }) =>
      saySeldom(
        () =>
          `${done} of ${countOf(all, 'video')}, ${formatBytes(bytes)} of ${formatBytes(allBytes)}.`,
      ),
    onFetched: (bytes) => saySeldom(() => `${formatBytes(bytes)} fetched.`),
  }
}

function report(
  { imported, there, bytes, playlists, problems, notes }: ImportResult,
  isDryRun: boolean,
): void {
  for (const note of notes) say(describe(note))
  const verb = isDryRun ? 'Would import' : 'Imported'
  say(`${verb} ${countOf(imported, 'video')}, ${formatBytes(bytes)}. ${there} were there already.`)
  if (playlists > 0) say(`Imported ${countOf(playlists, 'playlist')}.`)
  if (problems.length === 0) return
  const what = isDryRun ? 'Could not come' : 'Did not come'
  complain(`${what}:`)
  for (const problem of problems) complain(`  ${describe(problem)}`)
}

function describe({ path, sentence }: ForeignProblem): string {
  return oneLine(`${path}: ${sentence}`)
}
