/**
 * Afterwards the old site is read-only. Repeating continues an interrupted move; `--undo FROM`
 * makes the database of an abandoned one writable again.
 */
import { createHash } from 'node:crypto'
import { countOf } from '#shared/text/format.ts'
import { type MovedTable, moveDatabase } from '../desk/move-database/move-database.ts'
import { findDistrust } from '../desk/site-check/distrust.ts'
import { rebuildSearchIndex } from '../discovery/search/index-health.queries.ts'
import type { Database } from '../platform/db/database.ts'
import { lockDataFolder } from '../platform/db/maintain.ts'
import {
  migrateToLatest,
  requireCurrentSchema,
  requireKnownSchema,
} from '../platform/db/migrate.ts'
import {
  describePlace,
  hasDatabase,
  type MovePlace,
  openMoveSource,
  openMoveTarget,
  openPlaceDatabase,
  readPlace,
  undoMove,
} from '../platform/db/move/move-place.ts'
import { findMovedTo, listTableNames } from '../platform/db/move/moved-site.ts'
import { restoreNeededMigration } from '../platform/db/needed-migration.ts'
import { CommandError } from '../platform/errors.ts'
import { makeFolder } from '../platform/files/make-folder.ts'
import { requireNoMedia } from '../video/media/folder-media.ts'
import { EXIT_WRONG_CALL, readArguments, runCommand, say } from './command-line.ts'

const USAGE =
  'Say where the database is and where it goes: npm run move-database -- FROM TO, each a data folder or postgres://user:password@host/database'
const HASH_SHOWN = 16

await runCommand(async () => {
  const { values, positionals } = readArguments({ undo: { type: 'boolean' } } as const, USAGE)
  const [from, to, ...others] = positionals.map(readPlace)
  const isWrong = values.undo ? to !== undefined : to === undefined || others.length > 0
  if (!from || isWrong) throw new CommandError(USAGE, EXIT_WRONG_CALL)
  if (!hasDatabase(from)) {
    throw new CommandError(`There is no Clutch database in ${describePlace(from)}.`)
  }
  if (to) return move(from, to)
  await undoMove(from)
  say(`${describePlace(from)} takes changes again.`)
  return 0
})

async function move(from: MovePlace, to: MovePlace): Promise<number> {
  const begun = performance.now()
  const address = describePlace(to)
  if (describePlace(from) === address) throw new CommandError(USAGE, EXIT_WRONG_CALL)
  const unlock = await takeTarget(to)
  try {
    const sourceId = await identify(from, to)
    const isDone = await prepareTarget({ from, to, sourceId })
    if (isDone) {
      say(`The site is at ${address} now.`)
      return 0
    }
    say(`Moving the database to ${address}. The site can be read meanwhile, but not changed.`)
    const tables = await copy(from, to)
    printTables(tables)
    const seconds = Math.round((performance.now() - begun) / 1000)
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    say(`Moved ${countOf(rows, 'row')} in ${countOf(seconds, 'second')}; all are the same in both.`)
    say(`${describePlace(from)} takes no changes any more. ${describeNext(to)}`)
    return 0
  } finally {
    unlock()
  }
}

/**
 * @returns the unlock function
 * @throws CommandError while a site runs there
 */
async function takeTarget(to: MovePlace): Promise<() => void> {
  if ('url' in to) return () => {}
  await makeFolder(to.folder, 'TO')
  const unlock = lockDataFolder(to.folder)
  if (!unlock) throw new CommandError(`A Clutch server uses ${to.folder}. Stop it first.`)
  return unlock
}

/**
 * @returns the site's mark
 * @throws AppError for another version
 * @throws CommandError for an untrustworthy database
 * @throws ConfigError where media would be unreadable at `to`
 */
function identify(from: MovePlace, to: MovePlace): Promise<string> {
  return ask(from, async (db) => {
    await requireKnownSchema(db)
    if ((await findMovedTo(db)) === undefined) {
      await requireCurrentSchema(db)
      const reason = await findDistrust(db)
      if (reason) throw new CommandError(`Nothing is moved: ${reason}.`)
      if ('folder' in from && 'url' in to) await requireNoMedia(db, from.folder)
    }
    const { viewerSecret } = await db
      .selectFrom('siteSettings')
      .select('viewerSecret')
      .executeTakeFirstOrThrow()
    return createHash('sha256').update(viewerSecret).digest('hex')
  })
}

/**
 * Creates tables, marks the target with this move.
 * @returns true when already complete
 * @throws CommandError unless empty or of this move
 */
async function prepareTarget(input: {
  from: MovePlace
  to: MovePlace
  sourceId: string
}): Promise<boolean> {
  const { from, to, sourceId } = input
  const address = describePlace(to)
  const movedTo = await ask(from, findMovedTo)
  if (movedTo !== undefined && movedTo !== address) {
    throw new CommandError(`${describePlace(from)} has moved to ${movedTo} already.`)
  }
  const isEmpty = (await ask(to, listTableNames)).length === 0
  const target = await openMoveTarget(to)
  try {
    const isOurs = (await target.readNotes('source')).get('') === sourceId
    if (movedTo !== undefined) {
      if (isOurs) await target.finish()
      return true
    }
    if (isEmpty) await target.begin(sourceId)
    else if (!isOurs) {
      throw new CommandError(`${address} is not empty. A database is moved to an empty one only.`)
    }
  } finally {
    await target.close()
  }
  await ask(to, migrateToLatest)
  return false
}

async function copy(from: MovePlace, to: MovePlace): Promise<MovedTable[]> {
  const source = await openMoveSource(from)
  try {
    const target = await openMoveTarget(to)
    try {
      return await moveDatabase({
        ...{ source, target, address: describePlace(to), refusesZero: 'url' in to },
        complete: () => ask(to, complete),
        onStep: say,
      })
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function complete(db: Database): Promise<void> {
  await restoreNeededMigration(db)
  await rebuildSearchIndex(db)
}

async function ask<Answer>(
  place: MovePlace,
  question: (db: Database) => Promise<Answer>,
): Promise<Answer> {
  const db = await openPlaceDatabase(place)
  return question(db).finally(() => db.destroy())
}

function printTables(tables: MovedTable[]): void {
  const filled = tables.filter(({ rows }) => rows > 0)
  const width = Math.max(...filled.map(({ name }) => name.length))
  for (const { name, rows, hash } of filled) {
    say(`${name.padEnd(width)} ${String(rows).padStart(10)} rows  ${hash.slice(0, HASH_SHOWN)}`)
  }
  say(`${countOf(tables.length - filled.length, 'table')} more without rows.`)
}

function describeNext(to: MovePlace): string {
  return 'url' in to
    ? 'Set DATABASE_URL to the new one, and restart the site.'
    : `Take DATABASE_URL out of the settings, set DATA_DIR to ${to.folder}, and restart the site.`
}
