import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { busOf } from '#server/platform/cluster/cluster.ts'
import { tryLock, withLock } from '#server/platform/cluster/locks.ts'
import type { Message } from '#server/platform/cluster/message-bus.ts'
import {
  type Database,
  inTransaction,
  readChangeCount,
  writeQuietly,
} from '#server/platform/db/database.ts'
import { isBusy } from '#server/platform/db/errors.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { createLiveFeed } from '#server/platform/events/live-feed.ts'
import { openBreakableLine } from '#test/support/breakable-line.ts'
import { longTest } from '#test/support/long-form.ts'
import { ask, createMigratedDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import { until } from '#test/support/until.ts'

let url: string
let one: Database
let other: Database
beforeAll(async () => {
  url = await createMigratedDatabase()
  one = openPostgresDatabase(url)
  other = openPostgresDatabase(url)
})
afterAll(async () => {
  await Promise.all([one.destroy(), other.destroy()])
  await dropDatabase(url)
})
beforeEach(async () => {
  for (const db of [one, other]) {
    readChangeCount(db)
    await until(() => busOf(db).isUp())
  }
})

const rename = (db: Database, name: string) =>
  db.updateTable('siteSettings').set({ name }).execute()
const endSessions = () =>
  ask(
    `SELECT pg_terminate_backend("pid") FROM "pg_stat_activity" WHERE "datname" = '${new URL(url).pathname.slice(1)}'`,
  )

test('a message reaches the other processes and not its sender', async () => {
  const heard: [string, Message][] = []
  const ends = [one, other].map((db, at) =>
    busOf(db).onMessage((message) => {
      if (message.topic === 'live') heard.push([['one', 'other'][at] ?? '', message])
    }),
  )
  const userIds = Array.from({ length: 1200 }, (_, id) => 1_000_000 + id)
  await busOf(one).publish({ topic: 'live', userIds, about: 'work' })
  await until(() => heard.length === 3)
  for (const end of ends) end()
  expect(heard.map(([who]) => who)).toEqual(['other', 'other', 'other'])
  expect(heard.flatMap(([, message]) => ('userIds' in message ? message.userIds : []))).toEqual(
    userIds,
  )
})

test('unknown messages on the same channel are ignored, and logged', async () => {
  const warned: string[] = []
  const note = (warning: Error) => void warned.push(warning.message)
  process.on('warning', note)
  const heard: Message[] = []
  const end = busOf(other).onMessage((message) => heard.push(message))
  const strange = ['hello', 'null', '[1]', '{"topic":"live"}', '{"topic":"new","of":1}']
  for (const words of strange) await ask(`NOTIFY clutch, '${words}'`, url)
  await busOf(one).publish({ topic: 'jobs' })
  await until(() => heard.length > 0)
  end()
  process.off('warning', note)
  expect(heard).toEqual([{ topic: 'jobs' }])
  for (const words of strange) {
    expect(warned).toContain(`Unknown message on the channel clutch: ${words}`)
  }
})

test('a write is counted by every process after sync, and a quiet one by none', async () => {
  const counts = () => [one, other].map(readChangeCount)
  for (let round = 0; round < 200; round++) {
    const before = readChangeCount(other)
    await rename(one, `Clutch ${round}`)
    expect(await busOf(other).sync()).toBe(true)
    expect(readChangeCount(other)).toBe(Number(before) + 1)
  }
  await Promise.all([one, other].map((db) => busOf(db).sync()))
  const before = counts()
  await writeQuietly(one, async (transaction) => {
    await transaction.updateTable('siteSettings').set({ name: 'Quiet' }).execute()
  })
  await Promise.all([one, other].map((db) => busOf(db).sync()))
  expect(counts()).toEqual(before)
})

test('a process that is disconnected counts nothing until it has reconnected, and then knows that it may have missed messages', async () => {
  let reconnects = 0
  const end = busOf(other).onReconnect(() => reconnects++)
  const before = readChangeCount(other)
  await endSessions()
  await until(() => readChangeCount(other) === undefined)
  await until(() => busOf(other).isUp())
  end()
  expect(reconnects).toBe(1)
  expect(readChangeCount(other)).toBeGreaterThan(Number(before))
})

test('a lock is held by one piece of work at a time, whichever process does it', async () => {
  let running = 0
  let most = 0
  const done: number[] = []
  const work = async () => {
    most = Math.max(most, ++running)
    await pause(2)
    running--
    done.push(1)
  }
  const all = Array.from({ length: 20 }, (_, at) =>
    withLock(at % 2 ? one : other, 'upload:1', work),
  )
  await Promise.all(all)
  expect([most, done.length]).toEqual([1, 20])
})

test('a lock that is held cannot be taken until it is released or its process is cut off', async () => {
  const release = await tryLock(one, 'nightly')
  expect(release).toBeDefined()
  expect(await tryLock(one, 'nightly')).toBeUndefined()
  expect(await tryLock(other, 'nightly')).toBeUndefined()
  await release?.()
  const again = await tryLock(other, 'nightly')
  expect(again).toBeDefined()
  await endSessions()
  expect(await withLock(one, 'nightly', async () => 'had')).toBe('had')
  await again?.()
})

test('pages at other processes get the messages of a process that was disconnected, except the oldest of very many', async () => {
  const line = await openBreakableLine(Number(new URL(url).port))
  const { port } = new URL(line.origin)
  const cutOff = openPostgresDatabase(url, {
    directUrl: Object.assign(new URL(url), { port }).href,
  })
  const ended = new AbortController()
  try {
    const [teller, hearer] = [createLiveFeed(busOf(cutOff)), createLiveFeed(busOf(other))]
    await until(() => busOf(cutOff).isUp())
    const heard: string[] = []
    for (const userId of [1, 2, 3, 2000]) {
      hearer.listen(userId, {
        listener: (topic) => heard.push(`${topic} ${userId}`),
        signal: ended.signal,
      })
    }
    line.breakDown()
    teller.announce([1])
    teller.announceWork([3])
    teller.announceWork([3])
    await until(() => !busOf(cutOff).isUp())
    expect(heard).toEqual([])
    line.mend()
    await until(() => heard.length === 2)
    expect(heard).toEqual(['notifications 1', 'work 3'])
    line.breakDown()
    for (let userId = 2; userId <= 2000; userId++) teller.announce([userId])
    await until(() => !busOf(cutOff).isUp())
    line.mend()
    await until(() => heard.length > 2)
    teller.announce([1])
    await until(() => heard.length > 3)
    expect(heard.slice(2)).toEqual(['notifications 2000', 'notifications 1'])
  } finally {
    ended.abort()
    line.mend()
    await cutOff.destroy()
    await line.stop()
  }
})

longTest('a lock of a process that stays silent is free within seconds', async () => {
  const line = await openBreakableLine(Number(new URL(url).port))
  const cutOff = openPostgresDatabase(
    Object.assign(new URL(url), { port: new URL(line.origin).port }).href,
  )
  expect(await tryLock(cutOff, 'upload:2')).toBeDefined()
  line.stall()
  expect(await tryLock(one, 'upload:2')).toBeUndefined()
  expect(await withLock(one, 'upload:2', async () => 'had')).toBe('had')
  line.mend()
  await cutOff.destroy()
  await line.stop()
})

test('how long a transaction may be left alone is said of it, and not of a session that a pooler lends to others', async () => {
  const read = async (db: Database) => {
    const { rows } = await sql<{ bound: string }>`
      SELECT current_setting('idle_in_transaction_session_timeout') AS "bound"`.execute(db)
    return rows[0]?.bound
  }
  const patient = openPostgresDatabase(url, { isPatient: true })
  expect(await inTransaction(one, read)).toBe('8s')
  expect(await inTransaction(patient, read)).toBe('30s')
  for (const db of [one, patient]) expect(await read(db)).toBe('0')
  await patient.destroy()
})

test('a server that cannot be found is away, as one that does not answer', async () => {
  for (const host of ['nowhere..invalid', '127.0.0.1:1']) {
    const away = openPostgresDatabase(`postgres://clutch@${host}/clutch`)
    const asked = away.selectFrom('users').select('id').execute()
    await expect(asked, host).rejects.toSatisfy(isBusy)
    await away.destroy()
  }
})
