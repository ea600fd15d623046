/**
 * `npm run doctor`: compares the database and the files of a data folder, running or stopped, and
 * prints what is missing, orphaned or damaged, in a store elsewhere too. It changes nothing; it ends with 1 when it found
 * anything. `npm run doctor -- --rebuild-search` rebuilds the search index first, on SQLite that of a stopped site.
 * `npm run doctor -- --claim-store` says that this data folder goes on with a store that another copy of the site used.
 * With `--json` it prints its progress and then what it found, one JSON object a line.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { countOf } from '#shared/text/format.ts'
import { checkSite, type SiteCheck, type SitePlaces } from '../desk/site-check/file-check.ts'
import type { Problem } from '../desk/site-check/problem.ts'
import { rebuildSearchIndex } from '../discovery/search/index-health.queries.ts'
import type { Config } from '../platform/config.ts'
import {
  type Database,
  dataFolderIsTaken,
  lockDataFolder,
  requireCurrentSchema,
} from '../platform/db/database.ts'
import { openSiteDatabase, openSiteDatabaseToRead } from '../platform/db/site-database.ts'
import { upgradeDatabase } from '../platform/db/upgrade.ts'
import { CommandError, EXIT_FAILED } from '../platform/errors.ts'
import { openMediaForCommand } from '../platform/files/open-media-store.ts'
import { claimStores, findHold, requireOwnStores } from '../video/media/store-mark.ts'
import { EXIT_WRONG_CALL, readArguments, requireSite, runCommand, say } from './command-line.ts'

const SECOND_LOOK_MS = 1500
/** The janitor removes what is an hour old when two hourly rounds in a row saw it. */
const CLEARED_WITHIN_HOURS = 3
const USAGE = 'Usage: npm run doctor [-- --rebuild-search | --claim-store]'

await runCommand(async () => {
  const options = {
    'rebuild-search': { type: 'boolean' },
    'claim-store': { type: 'boolean' },
    json: { type: 'boolean' },
  } as const
  const { values, positionals } = readArguments(options, USAGE)
  if (positionals.length > 0) throw new CommandError(USAGE, EXIT_WRONG_CALL)
  const onProgress = (percent: number) => {
    if (values.json) say(JSON.stringify({ percent }))
  }
  const config = requireSite()
  const { dataFolder } = config
  if (values['rebuild-search']) await rebuildSearch(config)
  const db = await openSiteDatabaseToRead(config)
  const { media, close } = await openMediaForCommand(config)
  try {
    if (values['claim-store']) return await claimStore(db, { dataFolder, media })
    await requireOwnStores(db, media)
    const places = { dataFolder, media }
    const { problems, passing, videos, files } = await checkWell(db, { places, onProgress })
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
    if (problems.length === 0) {
      say(
        `All is well: the rows of ${countOf(videos, 'video')} and ${countOf(files, 'file')} agree.`,
      )
      return 0
    }
    for (const { kind, text } of problems) say(`${kind}: ${text}`)
    say(`${countOf(problems.length, 'problem')} in ${dataFolder}.`)
    return EXIT_FAILED
  } finally {
    await close()
    await db.destroy()
  }
})

/**
 * On a running site only what two looks agree on is a problem, since rows and files change in between,
 * and what no row speaks of is none, whatever its age: its janitor clears it, where it may.
 */
async function checkWell(
  db: Database,
  input: { places: SitePlaces; onProgress: (percent: number) => void },
): Promise<SiteCheck & { passing: Problem[] }> {
  const { places, onProgress } = input
  const first = await checkSite(db, places, (percent) => onProgress(percent * 0.6))
  if (first.problems.length === 0 || !dataFolderIsTaken(places.dataFolder))
    return { ...first, passing: [] }
  await pause(SECOND_LOOK_MS)
  const second = await checkSite(db, places, (percent) => onProgress(60 + percent * 0.4))
  const before = new Set(first.problems.map((problem) => problem.text))
  const isHeld = (await findHold({ db, ...places }, places.media)) !== undefined
  const problems: Problem[] = []
  const passing: Problem[] = []
  for (const problem of second.problems.filter(({ text }) => before.has(text))) {
    const list = problem.kind === 'orphaned' && !isHeld ? passing : problems
    list.push(problem)
  }
  return { ...second, problems, passing }
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

/** Beside nodes that run; a database that is a file has to be free. */
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
