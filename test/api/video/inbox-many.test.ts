import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { InboxStatus } from '#shared/schemas/inbox.schemas.ts'
import { listRows } from '#test/support/rows.ts'
import { PUBLISH_ALL, setUpInbox } from '#test/support/set-up-inbox.ts'

const inbox = await setUpInbox()
const { site, members, putUnique, look, publish, videosOf, at, ask } = inbox

test('of 100 files 5 are damaged: each good one becomes a video once', async () => {
  await ask(members.admin, 'inbox.saveSettings', { rules: [PUBLISH_ALL] })
  const names = Array.from({ length: 95 }, (_, index) => `ann/clip ${index}.mp4`)
  for (const name of names) await putUnique(name)
  const whole = await readFile(inbox.clip('two.mp4'))
  for (let index = 0; index < 5; index += 1) {
    await writeFile(at(`ann/broken ${index}.mp4`), whole.subarray(0, whole.length - 300 - index))
  }
  const before = await Promise.all(names.map((name) => readFile(at(name))))
  for (let round = 0; round < 40; round += 1) {
    await look(1)
    await publish()
  }
  const titles = (await videosOf(members.ann)).map(({ title }) => title)
  expect(titles).toHaveLength(95)
  expect(new Set(titles).size).toBe(95)
  expect(await listRows(site.db, 'inboxItems', { state: 'unusable' })).toHaveLength(5)
  expect(await Promise.all(names.map((name) => readFile(at(name))))).toEqual(before)
  expect(await listRows(site.db, 'notifications', { title: 'New recordings' })).toHaveLength(0)
}, 600_000)

test('10,000 files are a queue that says what it does and can be stopped', async () => {
  for (let index = 0; index < 10_000; index += 1) {
    await writeFile(at(`clip ${index}.mp4`), `no video ${index}`)
  }
  await look(2)
  expect(await ask<InboxStatus>(members.admin, 'inbox.status')).toMatchObject({
    folders: [{ files: 10_000, problem: null }],
    settling: 10_000,
  })
  const looking = look(1)
  await expect
    .poll(() => ask<InboxStatus>(members.admin, 'inbox.status'), { timeout: 60_000 })
    .toMatchObject({ examining: expect.stringMatching(/^clip \d+\.mp4$/) })
  await ask(members.admin, 'inbox.pause', { isPaused: true })
  await looking
  const done = await listRows(site.db, 'inboxItems')
  expect(done.length).toBeLessThan(10_000)
  await look(2)
  expect(await listRows(site.db, 'inboxItems')).toHaveLength(done.length)
}, 300_000)
