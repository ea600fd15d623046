import { mkdtemp, rename, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { readNodes } from '#server/desk/nodes/node.service.ts'
import { SINGLE_PROCESS, startPresence } from '#server/desk/nodes/presence.service.ts'
import { readVersion } from '#server/desk/release/running-version.ts'
import { clusterOf } from '#server/platform/cluster/cluster.ts'
import type { Database } from '#server/platform/db/database.ts'
import { migrateToLatest } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { longTest } from '#test/support/long-form.ts'
import { ask, createMigratedDatabase, dropDatabase } from '#test/support/postgres-databases.ts'
import { openTestSite } from '#test/support/test-site.ts'
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

const log = { warn: () => {} }
const start = (db: Database, port: number) => startPresence({ db, config: { port }, log })

/** As a process that went without a word, so many seconds ago. */
const insertNode = (id: string, seconds: number) =>
  ask(
    `INSERT INTO "nodes" ("id", "name", "version", "startedAt", "seenAt") SELECT '${id}', '${id}', '0.9.0', "at", "at"
      FROM (SELECT to_char(now() AT TIME ZONE 'UTC' - interval '${seconds} seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "at") AS "times"`,
    url,
  )

async function describeNodes(db: Database) {
  const { nodes, versionsDiffer } = await readNodes(db)
  return {
    versionsDiffer,
    nodes: nodes.map(({ name, state, isAsked }) => ({ name, state, isAsked })),
  }
}

longTest('nodes see each other, until they are gone for half a minute', async () => {
  await insertNode('long gone', 31)
  const nameOf = (port: number) => `${hostname()}:${port}`
  const first = await start(one, 3001)
  await insertNode('silent', 20)
  const second = await start(other, 3002)
  await second.drain()
  expect(await describeNodes(one)).toEqual({
    versionsDiffer: true,
    nodes: [
      { name: 'silent', state: 'silent', isAsked: false },
      { name: nameOf(3001), state: 'serving', isAsked: true },
      { name: nameOf(3002), state: 'draining', isAsked: false },
    ],
  })
  const rows = () => one.selectFrom('nodes').select(['id', 'version', 'seenAt']).execute()
  const seen = (await rows()).find(({ id }) => id === clusterOf(one).nodeId)
  expect(seen?.version).toBe(await readVersion())
  // They go on saying that they are there, and the silent one is given up.
  await until(async () => (await rows()).some(({ seenAt }) => seenAt > (seen?.seenAt ?? '')))
  await until(async () => (await rows()).length === 2)
  await second.leave()
  expect(await describeNodes(one)).toEqual({
    versionsDiffer: false,
    nodes: [{ name: nameOf(3001), state: 'serving', isAsked: true }],
  })
  await first.leave()
  expect(await rows()).toEqual([])
})

test('one whose row was removed meanwhile is back with its next word, as old as it is', async () => {
  const presence = await start(one, 3001)
  const rows = () => one.selectFrom('nodes').select(['id', 'startedAt']).execute()
  const before = await rows()
  await one.deleteFrom('nodes').execute()
  await presence.drain()
  expect(await rows()).toEqual(before)
  await presence.leave()
})

test('a node that cannot do all of its work is shown with what /api/ready says, until it can', async () => {
  const site = await openTestSite({ databaseUrl: url })
  onTestFinished(() => site.close())
  const presence = await startPresence({ db: site.db, config: { port: 3003 }, log, renewMs: 20 })
  const { work } = site.disk.folders
  await rename(work, `${work}-away`)
  const app = await buildApp({ ...site.deps, presence })
  onTestFinished(() => app.close())
  await site.deps.jobs.start()
  const { cookie } = await site.addMember('chief', { isAdmin: true })
  const read = (path: string) => app.inject({ url: path, headers: { cookie } })
  const readNode = async () => (await read('/trpc/node.list')).json().result.data.nodes[0]
  const count = async (state: string) =>
    (await read('/metrics')).body.includes(`clutch_nodes{state="${state}"} 1\n`)

  const reason = 'DATA_DIR/work cannot be written to: ENOENT.'
  await until(async () => (await readNode()).state === 'unready')
  await until(async () => (await readNode()).problem === reason)
  expect((await read('/api/ready')).body).toBe(reason)
  expect([await count('unready'), await count('serving')]).toEqual([true, false])

  await rename(`${work}-away`, work)
  await until(async () => (await readNode()).state === 'serving')
  expect((await readNode()).problem).toBe(null)
  expect((await read('/api/ready')).body).toBe('ok')
  expect([await count('unready'), await count('serving')]).toEqual([false, true])
  await presence.leave()
})

longTest(
  'what does not answer when it is looked at keeps no node from saying that it is there',
  async () => {
    const presence = await startPresence({ db: one, config: { port: 3004 }, log })
    presence.watch(() => new Promise(() => {}))
    await presence.drain()
    const problem = 'What this node needs for its work does not answer.'
    expect((await readNodes(one)).nodes).toMatchObject([{ state: 'draining', problem }])
    await presence.leave()
  },
)

test('a site on a file is nobody among several', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-alone-'))
  const db = openDatabase(folder)
  await migrateToLatest(db)
  expect(await start(db, 3001)).toBe(SINGLE_PROCESS)
  expect(await readNodes(db)).toEqual({ nodes: [], versionsDiffer: false })
  expect(await db.selectFrom('nodes').select('id').execute()).toEqual([])
  await db.destroy()
  await rm(folder, { recursive: true })
})
