import { afterAll, beforeAll, expect } from 'vitest'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { VERSIONS, writeLaterVersion } from '#test/support/later-version.ts'
import { longTest } from '#test/support/long-form.ts'
import { ask } from '#test/support/postgres-databases.ts'
import { openNodes } from '#test/support/site-nodes.ts'
import { until } from '#test/support/until.ts'

const NEWER = 'The database was written by a newer version of Clutch. Update Clutch first.'

let nodes: Awaited<ReturnType<typeof openNodes>>
beforeAll(async () => {
  nodes = await openNodes()
})
afterAll(() => nodes.close())

const statusOf = async (node: { origin: string }, path: string) =>
  (await fetch(node.origin + path)).status

async function readRows() {
  const db = openPostgresDatabase(nodes.url)
  const settings = await db.selectFrom('siteSettings').select('neededMigration').execute()
  const found = await db.selectFrom('nodes').select(['name', 'version']).execute()
  await db.destroy()
  return { needed: settings[0]?.neededMigration, nodes: found }
}

longTest(
  'nodes of two versions run on one database, unless a migration says that they cannot',
  async () => {
    const additive = await writeLaterVersion(nodes.folder, { version: '99.0.0' })
    const breaking = await writeLaterVersion(nodes.folder, {
      version: '99.1.0',
      needsAllNodes: true,
    })

    // The version before goes on, and starts again, on what a later one has made of the database.
    const old = await nodes.start()
    const { needed } = await readRows()
    const later = await nodes.start({ root: additive })
    const versions = async () => (await readRows()).nodes.map(({ version }) => version).sort()
    expect(await versions()).toEqual(['1.0.0', '99.0.0'])
    for (const node of [old, later]) {
      await until(async () => (await statusOf(node, '/api/ready')) === 200)
      expect(await statusOf(node, '/api/videos')).toBe(200)
    }
    const metrics = await (await fetch(`${old.origin}/metrics`)).text()
    expect(metrics).toMatch(/^clutch_nodes\{state="serving"\} 2$/m)
    expect(await old.stop()).toBe(0)
    const again = await nodes.start()
    expect(await statusOf(again, '/api/videos')).toBe(200)
    expect((await readRows()).needed).toBe(needed)
    expect(await later.stop()).toBe(0)

    // What they cannot go on with waits until they are gone, and says which.
    await ask('DROP TABLE "later"', nodes.url)
    await ask(`DELETE FROM "kysely_migration" WHERE "name" = '${VERSIONS.later}-later'`, nodes.url)
    const [{ name = '' } = {}] = (await readRows()).nodes
    expect(name).toMatch(new RegExp(`:${again.port}$`))
    await expect(nodes.start({ root: breaking })).rejects.toThrow(
      `The server did not start:\nThis version changes the database so that others cannot go on with it. Stop all nodes first; these were seen within the last 30 seconds: ${name} (1.0.0).\n`,
    )
    expect(await statusOf(again, '/api/ready')).toBe(200)
    expect(await again.stop()).toBe(0)
    const only = await nodes.start({ root: breaking })
    expect(await readRows()).toMatchObject({
      needed: `${VERSIONS.later}-later`,
      nodes: [{ version: '99.1.0' }],
    })
    await expect(nodes.start()).rejects.toThrow(`The server did not start:\n${NEWER}\n`)
    expect(await statusOf(only, '/api/ready')).toBe(200)
    expect((await readRows()).nodes).toHaveLength(1)
  },
)

longTest('a node whose database is changed beyond it says so, and is not ready', async () => {
  await ask(`UPDATE "siteSettings" SET "neededMigration" = NULL`, nodes.url)
  const node = await nodes.start()
  await until(async () => (await statusOf(node, '/api/ready')) === 200)
  await ask(`UPDATE "siteSettings" SET "neededMigration" = '${VERSIONS.later}-later'`, nodes.url)
  await until(async () => (await statusOf(node, '/api/ready')) === 503)
  await until(() => node.output.join('').includes(`"reason":"${NEWER}"`))
  expect(await node.stop()).toBe(0)
})
