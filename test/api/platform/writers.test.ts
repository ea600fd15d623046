import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { migrateToLatest } from '#server/platform/db/migrate.ts'
import { DATABASE_FILE, openDatabase } from '#server/platform/db/open.ts'
import { isOnPostgres } from '#test/support/site-database.ts'
import { openTestSite } from '#test/support/test-site.ts'

/** Longer than the result of a check for a move of the database is cached. */
const LOOK_MS = 150
/** Has a transaction that writes, and keeps it open for a while. */
const OTHER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const sqlite = require('better-sqlite3')(workerData)
  sqlite.exec('BEGIN IMMEDIATE')
  parentPort.postMessage('writes')
  setTimeout(() => sqlite.exec('COMMIT'), 300)
`

/** A program that holds the write lock from its first word on, until its input ends. */
const HOLDER = `
  const sqlite = require('better-sqlite3')(process.argv[1])
  sqlite.exec('BEGIN IMMEDIATE')
  process.stdout.write('writes')
  process.stdin.resume().once('end', () => {
    sqlite.exec('COMMIT')
    process.exit()
  })
`

async function holdWriteLock(path: string) {
  const stdio = ['pipe', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, ['-e', HOLDER, path], { stdio: [...stdio] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return {
    async release(): Promise<void> {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

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

test('statements and transactions that wait for another program are all done once it has ended', async () => {
  const days = Array.from({ length: 30 }, (_, index) => `2026-01-${index + 10}`)
  const other = await holdWriteLock(join(folder, DATABASE_FILE))
  const done: string[] = []
  const writes = days.map(async (day, index) => {
    const write = (to: Database) => to.insertInto('siteDays').values({ day }).execute()
    await (index % 2 ? write(db) : inTransaction(db, write))
    done.push(day)
  })
  const failed = inTransaction(db, async () => {
    throw new Error('taken back')
  }).catch((error) => error.message)
  const found = await db.selectFrom('siteSettings').select('name').executeTakeFirst()
  expect([found?.name, done]).toEqual(['Clutch', []])
  await other.release()
  await Promise.all(writes)
  expect(await failed).toBe('taken back')
  const rows = await db.selectFrom('siteDays').select('day').orderBy('day').execute()
  expect(rows.map(({ day }) => day)).toEqual(days)
})

test.skipIf(isOnPostgres)(
  'while another program writes, readers are answered, and writers wait until it has ended',
  async () => {
    const site = await openTestSite()
    onTestFinished(() => site.close())
    const ann = await site.addMember('ann')
    const id = await site.addVideo(ann)
    // Due to be renewed by the next read.
    const soon = Math.floor(Date.now() / 1000) + 3600
    await site.db.updateTable('sessions').set({ expiresAt: soon }).execute()
    const other = await holdWriteLock(join(site.dataFolder, DATABASE_FILE))
    let isAnswered = false
    const url = `/api/videos/${id}`
    const edit = site
      .call({ as: ann, method: 'PATCH', url, payload: { title: 'Later' } })
      .finally(() => {
        isAnswered = true
      })
    for (const [asked, as] of [['/api/videos'], ['/api/health'], [url], [url, ann]] as const) {
      const answer = await site.get(asked, { ...(as && { as }) })
      expect([asked, answer.statusCode, isAnswered]).toEqual([asked, 200, false])
    }
    await other.release()
    expect((await edit).statusCode).toBe(200)
    expect((await site.get(url)).json().title).toBe('Later')
  },
)
