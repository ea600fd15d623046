import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  DATABASE_FILE,
  type Database,
  inTransaction,
  migrateToLatest,
  openDatabase,
} from '#server/platform/db/database.ts'

/** Longer than what is known of a move of the database is taken for true. */
const LOOK_MS = 150
/** Has a transaction that writes, and keeps it open for a while. */
const OTHER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const sqlite = require('better-sqlite3')(workerData)
  sqlite.exec('BEGIN IMMEDIATE')
  parentPort.postMessage('writes')
  setTimeout(() => sqlite.exec('COMMIT'), 300)
`

let folder: string
let db: Database
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clutch-writers-'))
  db = openDatabase(folder)
  await migrateToLatest(db)
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true, force: true })
})

const rename = (to: Database) => to.updateTable('siteSettings').set({ name: 'Ours' }).execute()

test.each<[string, () => Promise<unknown>]>([
  ['a statement', () => rename(db)],
  ['a transaction', () => inTransaction(db, (transaction) => rename(transaction))],
])('%s that writes waits for another process that does', async (_, write) => {
  const other = new Worker(OTHER, { eval: true, workerData: join(folder, DATABASE_FILE) })
  await new Promise((resolve) => other.once('message', resolve))
  await pause(LOOK_MS)
  await write()
  await other.terminate()
  const found = await db.selectFrom('siteSettings').select('name').executeTakeFirst()
  expect(found?.name).toBe('Ours')
})
