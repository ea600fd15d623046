import { beforeAll, expect, test } from 'vitest'
import { callsOf } from '#test/support/procedure-call.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const SECONDS = 20

const site = setUpTestSite()
const { owner } = setUpFileMembers(site, ['owner'])
let id: number

beforeAll(async () => {
  id = await site.addVideo(owner, { duration: SECONDS })
})

const { ask } = callsOf(site)
const heat = async () => (await ask<{ heat: number[] }>(undefined, 'video.playback', { id })).heat

/** Reports as the player does, every five seconds. */
async function watch(as: TestMember, { from, until }: { from: number; until: number }) {
  for (let at = from; at <= until; at += 5) {
    if (at > from) site.passTime(5)
    const watchedSeconds = at - from
    await ask(as, 'history.report', { videoId: id, positionSeconds: at, watchedSeconds })
  }
}

test('a video shows where it is watched most, once it was watched three times', async () => {
  const fans = await Promise.all(['ann', 'bob', 'carl'].map((name) => site.addMember(name)))
  for (const fan of fans) await watch(fan, { from: 0, until: SECONDS })
  await watch(owner, { from: 0, until: 10 })
  expect(await heat()).toEqual([])

  site.passTime(60)
  await watch(await site.addMember('dora'), { from: 10, until: 15 })
  await watch(await site.addMember('emil'), { from: 10, until: 15 })
  site.passTime(60)
  await watch(await site.addMember('fred'), { from: 0, until: 0 })
  const slices = await heat()
  expect(slices).toHaveLength(100)
  for (const [slice, share] of slices.entries()) {
    expect(share).toBeCloseTo(slice >= 50 && slice < 75 ? 1 : 0.6, 1)
  }
})

test('a report counts no more seconds than have passed', async () => {
  const before = await heat()
  const guest = await site.addMember('guest')
  for (let times = 0; times < 20; times += 1) {
    for (const watchedSeconds of [0, 1e6]) {
      await ask(guest, 'history.report', { videoId: id, positionSeconds: SECONDS, watchedSeconds })
    }
  }
  site.passTime(60)
  await watch(guest, { from: 0, until: 0 })
  // The moments that the test itself takes may count, at the end, and be the most.
  const after = (await heat()).slice(0, 80)
  const most = Math.max(...after)
  for (const [slice, share] of after.entries()) {
    expect(share / most).toBeCloseTo(before[slice] ?? 0, 1)
  }
})
