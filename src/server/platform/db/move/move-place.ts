import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError, ConfigError } from '../../errors.ts'
import type { Database } from '../database.ts'
import { lockFile } from '../file-lock.ts'
import { DATABASE_FILE, openDatabase } from '../open.ts'
import { openSqliteSource, undoSqliteMove } from '../sqlite/move-source.ts'
import { openSqliteTarget } from '../sqlite/move-target.ts'
import { MOVE_LOCK_FILE, type MoveSource, type MoveTarget } from './move-ends.ts'

/** For a site to notice a move of its file. */
const FILE_NOTICE_MS = 300
const CHECK_LOCK_MS = 2000

const NO_PLACE = 'A database is in a data folder, or at postgres://user:password@host/database.'

export type MovePlace = { folder: string } | { url: string }

/**
 * @param word a data folder, its `clutch.db`, or `postgres://…`
 * @throws ConfigError for another address, without its password
 */
export function readPlace(word: string): MovePlace {
  if (/^postgres(ql)?:\/\//.test(word)) return { url: word }
  if (/^\w+:\/\//.test(word)) throw new ConfigError(NO_PLACE)
  const path = resolve(word)
  return { folder: basename(path) === DATABASE_FILE ? dirname(path) : path }
}

/** Without the password. */
export function describePlace(place: MovePlace): string {
  if ('folder' in place) return place.folder
  if (!URL.canParse(place.url)) return 'postgres://…'
  const { host, pathname } = new URL(place.url)
  return `postgres://${host}${pathname}`
}

export function hasDatabase(place: MovePlace): boolean {
  return 'url' in place || existsSync(join(place.folder, DATABASE_FILE))
}

/** @throws ConfigError with a sentence */
export async function openPlaceDatabase(place: MovePlace): Promise<Database> {
  if ('folder' in place) return openDatabase(place.folder)
  const { openCheckedDatabase } = await import('../postgres/open-checked.ts')
  try {
    return await openCheckedDatabase(place.url, { isPatient: true })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const shown = describePlace(place)
    const sentence = error.message.replaceAll('that DATABASE_URL names', `of ${shown}`)
    throw new ConfigError(sentence.replace('DATABASE_URL', shown))
  }
}

/**
 * Announces the move to the running site, then locks writes.
 * @throws `conflict` during another move
 */
export async function openMoveSource(place: MovePlace): Promise<MoveSource> {
  if ('folder' in place) {
    const unlock = lockFile(join(place.folder, MOVE_LOCK_FILE), { waitMs: CHECK_LOCK_MS })
    if (!unlock) throw new AppError('conflict', 'The database of this site is being moved already.')
    try {
      await pause(FILE_NOTICE_MS)
      const source = openSqliteSource(join(place.folder, DATABASE_FILE))
      return { ...source, close: () => source.close().finally(unlock) }
    } catch (error) {
      unlock()
      throw error
    }
  }
  const { openPostgresSource } = await import('../postgres/move-source.ts')
  return openPostgresSource(place.url)
}

export async function openMoveTarget(place: MovePlace): Promise<MoveTarget> {
  if ('folder' in place) return openSqliteTarget(join(place.folder, DATABASE_FILE))
  const { openPostgresTarget } = await import('../postgres/move-target.ts')
  return openPostgresTarget(place.url)
}

export async function undoMove(place: MovePlace): Promise<void> {
  if ('folder' in place) return undoSqliteMove(place.folder, DATABASE_FILE)
  const { undoPostgresMove } = await import('../postgres/move-source.ts')
  return undoPostgresMove(place.url)
}
