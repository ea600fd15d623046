/**
 * Changes nothing, except with `--rebuild-search`, `--claim-store` and `--deep`, which records
 * missing hashes.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { countOf, formatBytes } from '#shared/text/format.ts'
import { compareHashes, type ReadSoFar } from '../desk/site-check/deep-check.ts'
import { checkSite, type SiteCheck, type SitePlaces } from '../desk/site-check/file-check.ts'
import type { Problem } from '../desk/site-check/problem.ts'
import { rebuildSearchIndex } from '../discovery/search/index-health.queries.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db/database.ts'
import { listForeignParts } from '../platform/db/known-schema.ts'
import { dataFolderIsTaken, lockDataFolder } from '../platform/db/maintain.ts'
import { requireCurrentSchema } from '../platform/db/migrate.ts'
import { openSiteDatabase, openSiteDatabaseToRead } from '../platform/db/site-database.ts'
import { upgradeDatabase } from '../platform/db/upgrade.ts'
import { CommandError, EXIT_FAILED } from '../platform/errors.ts'
import { openMediaForCommand } from '../platform/files/open-media-store.ts'
import { createSmtp, MailError } from '../platform/mail/smtp.ts'
import { claimStores, findDeleteLock, requireOwnStores } from '../video/media/store-owner.ts'
import { EXIT_WRONG_CALL, readArguments, requireSite, runCommand, say } from './command-line.ts'

const RECHECK_MS = 1500
/** Share of progress; reading files takes most time. */
const ROWS_PART = 0.1
/** The janitor deletes what is an hour old, in two hourly rounds. */
const CLEARED_WITHIN_HOURS = 3
const PROGRESS_MS = 10_000
const USAGE = 'Usage: npm run doctor [-- --deep | --rebuild-search | --claim-store]'
const HELP = `${USAGE}

Compares the database with the files, in a folder or in object storage, signs in to the mail server if there is one, and
ends with 1 when something is wrong.
  --deep            also reads every file and compares it with the hash in its row
  --rebuild-search  rebuilds the search index first, on SQLite of a stopped site
  --claim-store     says that this data folder goes on with a store that another copy of the site used
  --json            prints progress and result as one JSON object a line`

await runCommand(async () => {
  const options = {
    'rebuild-search': { type: 'boolean' },
    'claim-store': { type: 'boolean' },
    deep: { type: 'boolean' },
    help: { type: 'boolean' },
    json: { type: 'boolean' },
  } as const
  const { values, positionals } = readArguments(options, USAGE)
  if (positionals.length > 0) throw new CommandError(USAGE, EXIT_WRONG_CALL)
  if (values.help) {
    say(HELP)
    return 0
  }
  const { deep: isDeep = false } = values
  const onProgress = (percent: number) => {
    if (values.json) say(JSON.stringify({ percent: isDeep ? percent * ROWS_PART : percent }))
  }
  const config = requireSite()
  const { dataFolder } = config
  if (values['rebuild-search']) await rebuildSearch(config)
  const db = await (isDeep ? openSiteDatabase(config) : openSiteDatabaseToRead(config))
  const { media, close } = await openMediaForCommand(config)
  try {
    if (values['claim-store']) return await claimStore(db, { dataFolder, media })
    // An unreadable one is reported below.
    const isForeign = (await listForeignParts(db).catch(() => [])).length > 0
    if (!isForeign) await requireOwnStores(db, media)
    const places = { dataFolder, media }
    const found = await checkWell(db, { places, onProgress })
    const { passing, videos, files } = found
    // Writing could fire foreign triggers.
    const deep =
      isDeep && !isForeign && (await compareHashes(db, media, showReading(values.json === true)))
    const problems = deep ? withoutDoubles([...found.problems, ...deep.problems]) : found.problems
    if (values.json) {
      say(JSON.stringify({ problems, videos, files }))
      return problems.length === 0 ? 0 : EXIT_FAILED
    }
    for (const { text } of passing) {
      const within = `within ${CLEARED_WITHIN_HOURS} hours`
      say(
        `left over: ${text}, from work that broke off: the janitor clears this by itself ${within}`,
      )
    }
    if (deep) {
      const noted = deep.noted > 0 ? ` The hashes of ${countOf(deep.noted, 'file')} are new.` : ''
      say(
        `${countOf(deep.read.files, 'file')}, ${formatBytes(deep.read.bytes)}, were read.${noted}`,
      )
    }
    const mailProblem = await findMailProblem(config)
    if (mailProblem !== undefined) say(`email: ${mailProblem}`)
    if (problems.length === 0) {
      say(
        `All is well: the rows of ${countOf(videos, 'video')} and ${countOf(files, 'file')} agree.`,
      )
      return mailProblem === undefined ? 0 : EXIT_FAILED
    }
    for (const { kind, text } of problems) say(`${kind}: ${text}`)
    say(`${countOf(problems.length, 'problem')} in ${dataFolder}.`)
    return EXIT_FAILED
  } finally {
    await close()
    await db.destroy()
  }
})

/** Signs in to the mail server, if there is one, without sending anything. */
async function findMailProblem({ mail, mailProblem }: Config): Promise<string | undefined> {
  if (!mail) return mailProblem
  try {
    await createSmtp(mail).check()
  } catch (error) {
    if (error instanceof MailError) return error.message
    throw error
  }
}

/**
 * A running site changes: problems seen twice count, but not orphans, which its janitor deletes.
 */
async function checkWell(
  db: Database,
  input: { places: SitePlaces; onProgress: (percent: number) => void },
): Promise<SiteCheck & { passing: Problem[] }> {
  const { places, onProgress } = input
  const first = await checkSite(db, places, (percent) => onProgress(percent * 0.6))
  if (first.problems.length === 0 || !dataFolderIsTaken(places.dataFolder))
    return { ...first, passing: [] }
  await pause(RECHECK_MS)
  const second = await checkSite(db, places, (percent) => onProgress(60 + percent * 0.4))
  const before = new Set(first.problems.map((problem) => problem.text))
  const isHeld = (await findDeleteLock({ db, ...places }, places.media)) !== undefined
  const problems: Problem[] = []
  const passing: Problem[] = []
  for (const problem of second.problems.filter(({ text }) => before.has(text))) {
    const list = problem.kind === 'orphaned' && !isHeld ? passing : problems
    list.push(problem)
  }
  return { ...second, problems, passing }
}

function showReading(isJson: boolean): (read: ReadSoFar) => void {
  let shownAt = performance.now()
  let shown = 0
  return ({ files, ofFiles, bytes }) => {
    const percent = Math.floor(100 * (ROWS_PART + (1 - ROWS_PART) * (files / ofFiles)))
    if (isJson && percent > shown) say(JSON.stringify({ percent }))
    shown = percent
    if (isJson || performance.now() - shownAt < PROGRESS_MS) return
    shownAt = performance.now()
    process.stderr.write(`${files} of ${ofFiles} files, ${formatBytes(bytes)} …\n`)
  }
}

/** A wrong size tells more than a wrong hash. */
function withoutDoubles(problems: Problem[]): Problem[] {
  const [seen, left] = [new Set<string>(), [] as Problem[]]
  for (const problem of problems) {
    const path = problem.text.split(', ')[0] ?? ''
    if (!path.startsWith('media/') || !seen.has(path)) left.push(problem)
    seen.add(path)
  }
  return left
}

async function claimStore(db: Database, { dataFolder, media }: SitePlaces): Promise<number> {
  await requireCurrentSchema(db)
  const addresses = await claimStores({ db, dataFolder }, media)
  if (addresses.length === 0) throw new CommandError('MEDIA_STORE is not set.')
  const where = addresses.join(' and ')
  say(`${where} belongs to ${dataFolder} from now on.`)
  say('The janitor of the site deletes within hours what no row speaks of there.')
  return 0
}

/** Requires a stopped site on SQLite. */
async function rebuildSearch(config: Config): Promise<void> {
  const { dataFolder, databaseUrl } = config
  const unlock = databaseUrl ? () => {} : lockDataFolder(dataFolder)
  if (!unlock) throw new CommandError(`A Clutch server uses ${dataFolder}. Stop it first.`)
  const db = await openSiteDatabase(config, { isPatient: true })
  try {
    if (databaseUrl) await requireCurrentSchema(db)
    else await upgradeDatabase(db, dataFolder)
    await rebuildSearchIndex(db)
    say('The search index was rebuilt.')
  } finally {
    await db.destroy()
    unlock()
  }
}
