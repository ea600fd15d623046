import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { UNSHOWABLE_CHARACTERS } from '#shared/text/shown-text.ts'
import { BACKED_UP_ELSEWHERE } from '../desk/backup/file-backups.ts'
import { type Config, readConfig } from '../platform/config.ts'
import {
  isBusy,
  isDamaged,
  isDiskFull,
  isMovedAway,
  isNotAllowed,
  isSqliteError,
  NOT_ALLOWED,
} from '../platform/db/errors.ts'
import { DATABASE_FILE } from '../platform/db/open.ts'
import { AppError, CommandError, ConfigError, EXIT_FAILED } from '../platform/errors.ts'
import { keepFilesPrivate } from '../platform/files/file-modes.ts'
import { StoreError } from '../platform/files/media-store.ts'

const MOVED_AWAY =
  'The site has moved to another database. npm run move-database -- --undo lets this one take changes again.'

export const EXIT_WRONG_CALL = 2

/**
 * Exit code: that of `work` (0 by default), 1 after a failure, 2 for wrong usage, with a sentence
 * on stderr. Created files are private.
 */
export async function runCommand(work: () => Promise<number | undefined>): Promise<void> {
  keepFilesPrivate()
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
  try {
    process.exitCode = (await work()) ?? 0
  } catch (error) {
    process.exitCode = error instanceof CommandError ? error.exitCode : EXIT_FAILED
    complain(explain(error))
  }
}

/** Readers such as `head` stop early; the work continues. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** @throws CommandError with `usage` */
export function readArguments<Options extends ParseArgsOptionsConfig>(
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    const reason = (error as Error).message.split('. ')[0]?.replace(/\.?$/, '.') ?? ''
    throw new CommandError(`${reason}\n${usage}`, EXIT_WRONG_CALL)
  }
}

/** @throws CommandError with `usage` */
export function readOneArgument(usage: string): string {
  return requireOneArgument(readArguments({}, usage).positionals, usage)
}

/** @throws CommandError with `usage` */
export function requireOneArgument(positionals: readonly string[], usage: string): string {
  const [word, ...others] = positionals
  if (word === undefined || word === '' || others.length > 0) {
    throw new CommandError(usage, EXIT_WRONG_CALL)
  }
  return word
}

/** @throws CommandError without a database on SQLite */
export function requireSite(): Config {
  const config = readConfig()
  const { dataFolder } = config
  if (config.databaseUrl || existsSync(join(dataFolder, DATABASE_FILE))) return config
  throw new CommandError(
    `There is no Clutch database in ${dataFolder}. Set DATA_DIR to the site's data folder.`,
  )
}

/** @throws CommandError also for PostgreSQL */
export function requireFileSite(): Config {
  const config = requireSite()
  if (config.databaseUrl) throw new CommandError(BACKED_UP_ELSEWHERE)
  return config
}

export function say(line: string): void {
  process.stdout.write(`${showable(line)}\n`)
}

/** On stderr. */
export function complain(line: string): void {
  process.stderr.write(`${showable(line)}\n`)
}

/** Names of files and texts of others could control the terminal. */
const showable = (text: string) => text.replaceAll(UNSHOWABLE_CHARACTERS, '')

function explain(error: unknown): string {
  const known = [CommandError, ConfigError, AppError, StoreError]
  if (error instanceof Error && known.some((kind) => error instanceof kind)) return error.message
  if (isBusy(error)) return 'The database is busy. Please try again in a moment.'
  if (isNotAllowed(error)) return NOT_ALLOWED
  if (isMovedAway(error)) return MOVED_AWAY
  if (isDiskFull(error)) return 'There is no room left on the disk.'
  if (isDamaged(error)) return `The database is damaged: ${(error as Error).message}.`
  if (isSqliteError(error)) return `The database cannot be used: ${(error as Error).message}.`
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `This account may not use ${path ?? 'a file that is needed'}.`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
