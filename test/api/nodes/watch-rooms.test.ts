import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { RoomChange } from '#server/community/watch-room/watch-room-stream.ts'
import type { WatchRoom } from '#shared/schemas/watch-room.schemas.ts'
import { DRAWING_POINTS_MAX, DRAWING_SCALE, type RoomPlayback } from '#shared/watch-rooms.ts'
import { followEvents } from '#test/support/event-stream.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { openTestNodes, type TestNodes } from '#test/support/test-nodes.ts'
import type { TestMember, TestSite } from '#test/support/test-site.ts'

let nodes: TestNodes
beforeAll(async () => {
  nodes = await openTestNodes()
  for (const { app } of [nodes.one, nodes.other]) await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => nodes.close())

async function enter(node: TestSite, token: string, as: TestMember) {
  const { port } = node.app.server.address() as AddressInfo
  const events = await followEvents<RoomChange>(`http://127.0.0.1:${port}`, {
    ...{ name: 'live.onRoom', input: { token }, as },
  })
  onTestFinished(() => events.close())
  await events.until(({ playback }) => playback !== undefined)
  return events
}

test('two nodes carry one room', async () => {
  const { one, other } = nodes
  const host = await one.addMember('host')
  const guest = await one.addMember('guest')
  const videoId = await one.addVideo(host, { duration: 600 })
  const { token } = await callsOf(one).ask<{ token: string }>(host, 'watchRoom.create', { videoId })
  const here = await enter(one, token, host)
  const there = await enter(other, token, guest)
  await here.until(({ people }) => people?.length === 2, 3000)

  const { playback } = await callsOf(other).ask<WatchRoom>(guest, 'watchRoom.get', { token })
  const at = await callsOf(other).ask<number>(guest, 'watchRoom.clock')
  const wish = { token, itemId: playback.itemId, position: 30, rate: 1, isPaused: false, at }
  const told = await callsOf(one).ask<RoomPlayback>(host, 'watchRoom.control', wish)
  expect(told.at).toBe(Math.round(at))
  const seen = await there.until(({ playback }) => playback?.version === told.version)
  expect(seen.playback).toEqual(told)

  const { ask } = callsOf(other)
  await ask(guest, 'watchRoom.say', { token, content: 'Here' })
  await ask(guest, 'watchRoom.react', { token, kind: 'wow' })
  const points = Array.from({ length: DRAWING_POINTS_MAX * 2 }, () => DRAWING_SCALE)
  const drawing = { id: 7, tool: 'pen', points, colour: 5 }
  const came: RoomChange[] = []
  await ask(guest, 'watchRoom.draw', { token, drawing })
  await here.until((change) => {
    came.push(change)
    const has = (name: keyof RoomChange) => came.some((one) => one[name] !== undefined)
    return has('messages') && has('reactions') && has('drawings')
  }, 3000)
  expect(came.find(({ drawings }) => drawings)?.drawings).toEqual([drawing])
  there.close()
  await here.until(({ people }) => people?.length === 1, 3000)
})
