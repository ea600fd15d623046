import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { STEP_ROWS } from '#server/platform/long-work/long-work.service.ts'
import { addSubscribers } from '#test/support/many-rows.ts'
import { listRows } from '#test/support/rows.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { answerOf, register } from '#test/support/several-nodes.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'
import { until } from '#test/support/until.ts'

const FANS = STEP_ROWS * 3

let server: ServerProcess
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.remove())

async function restart(env: Record<string, string> = {}): Promise<void> {
  const { dataFolder, port } = server
  await server.stop('SIGKILL')
  server = await startServer({ dataFolder, port, env })
}

async function isGone(): Promise<boolean> {
  try {
    await fetch(`${server.origin}/api/health`)
    return false
  } catch {
    return true
  }
}

test('subscribers are each told once by a site that is killed meanwhile', async () => {
  const ann = await register(server.origin, 'ann')
  const [id = 0] = await writeRows(server, async (db) => {
    await addSubscribers(db, { channelId: ann.id, count: FANS })
    return addVideos(db, [{ userId: ann.id, title: 'Killed', visibility: 'private' }])
  })
  const told = (db: Database) => listRows(db, 'notifications', { videoId: id })
  const readTold = () => writeRows(server, told)
  await restart({ CLUTCH_STOP_AT: 'long-work.step-done' })
  const input = { id, visibility: 'public' }
  await answerOf(server.origin, { as: ann, name: 'video.edit', input })
  await until(isGone)
  expect(await readTold()).toHaveLength(STEP_ROWS * 2)
  await restart()
  await until(async () => (await writeRows(server, (db) => listRows(db, 'longWork'))).length === 0)
  const rows = await readTold()
  expect(rows).toHaveLength(FANS)
  expect(new Set(rows.map(({ userId }) => userId)).size).toBe(FANS)
}, 120_000)
