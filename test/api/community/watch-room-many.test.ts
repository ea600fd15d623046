import { expect, onTestFinished, test } from 'vitest'
import type { RoomChange } from '#server/community/watch-room/watch-room-stream.ts'
import type { WatchRoom } from '#shared/schemas/watch-room.schemas.ts'
import { followEvents } from '#test/support/event-stream.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { startServer } from '#test/support/server-process.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { answerOf } from '#test/support/several-nodes.ts'
import { openTestSite, type TestMember } from '#test/support/test-site.ts'
import { readCpuSeconds } from '#test/torture/load/server-watch.ts'

const MEMBERS = 100
const SECONDS = 60
/** Of a core. */
const SHARE_MAX = 0.05

const folder = setUpFolder('many')

test('a hundred members in one room cost the server little', async () => {
  const site = await openTestSite({ dataFolder: folder })
  const members: TestMember[] = []
  for (let index = 0; index < MEMBERS; index += 1) {
    members.push(await site.addMember(`member${index}`))
  }
  const [host] = members
  if (!host) throw new Error('There is no member.')
  const videoId = await site.addVideo(host, { duration: 3600 })
  const { token } = await callsOf(site).ask<{ token: string }>(host, 'watchRoom.create', {
    videoId,
  })
  await site.app.close()
  await site.db.destroy()

  const server = await startServer({ dataFolder: folder })
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  const { origin, pid } = server
  let heard = 0
  const streams: Promise<unknown>[] = []
  for (const as of members) {
    const events = await followEvents<RoomChange>(origin, {
      ...{ name: 'live.onRoom', input: { token }, as },
    })
    onTestFinished(() => events.close())
    const listen = events.until(({ playback }) => {
      if (playback) heard += 1
      return false
    }, 10 * 60_000)
    streams.push(listen.catch(() => undefined))
  }
  const { playback } = await answerOf<WatchRoom>(origin, {
    ...{ as: host, name: 'watchRoom.get', input: { token } },
  })
  await new Promise((resolve) => setTimeout(resolve, 3000))
  heard = 0

  // What an evening has: a command every ten seconds, a message every two, a reaction each second,
  // and each page measures the clock three times a minute.
  const before = await readCpuSeconds(pid)
  const begin = performance.now()
  for (let second = 0; second < SECONDS; second += 1) {
    const as = members[second % MEMBERS]
    const say = (name: string, input: object) => answerOf(origin, { as, name, input })
    if (second % 10 === 0) {
      const at = await answerOf<number>(origin, { name: 'watchRoom.clock' })
      const wish = { position: second, rate: 1, isPaused: second % 20 === 0, at }
      const input = { token, itemId: playback.itemId, ...wish }
      await answerOf(origin, { as: host, name: 'watchRoom.control', input })
    }
    if (second % 2 === 0) await say('watchRoom.say', { token, content: `Message ${second}` })
    await say('watchRoom.react', { token, kind: 'gg' })
    const asked = (MEMBERS * 3) / 60
    for (let call = 0; call < asked; call += 1) {
      await answerOf(origin, { as, name: 'watchRoom.clock' })
    }
    const leftMs = begin + (second + 1) * 1000 - performance.now()
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, leftMs)))
  }
  const share = ((await readCpuSeconds(pid)) - before) / ((performance.now() - begin) / 1000)
  console.info(`${MEMBERS} members cost ${(share * 100).toFixed(1)} % of a core`)
  expect(heard).toBe(MEMBERS * (SECONDS / 10))
  expect(share).toBeLessThanOrEqual(SHARE_MAX)
})
