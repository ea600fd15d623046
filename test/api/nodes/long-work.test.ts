import { expect, onTestFinished, test } from 'vitest'
import { longWorks } from '#server/long-works.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import { finishLongWork, STEP_ROWS } from '#server/platform/long-work/long-work.service.ts'
import { addComments, addSubscribers } from '#test/support/many-rows.ts'
import { answerOf } from '#test/support/procedure-call.ts'
import { changeRows, listRows } from '#test/support/rows.ts'
import { answerOf as answerAt, register } from '#test/support/several-nodes.ts'
import { openNodes } from '#test/support/site-nodes.ts'
import { addVideos } from '#test/support/site-rows.ts'
import { openTestNodes } from '#test/support/test-nodes.ts'
import { until } from '#test/support/until.ts'

test('what two nodes work on at once is done once', async () => {
  const nodes = await openTestNodes({ processingJobs: 0 })
  onTestFinished(() => nodes.close())
  const { one, other } = nodes
  const ann = await one.addMember('ann')
  const count = STEP_ROWS * 2 + 50
  await addSubscribers(one.db, { channelId: ann.id, count })
  const id = await one.addVideo(ann, { visibility: 'private' })
  const input = { id, visibility: 'public' }
  await answerOf(one, { as: ann, name: 'video.edit', input })
  const left = () => listRows(one.db, 'longWork')
  expect(await left()).toHaveLength(1)
  await until(async () => {
    await Promise.all([one, other].map(({ deps }) => finishLongWork(deps, longWorks)))
    return (await left()).length === 0
  })
  const told = await listRows(one.db, 'notifications', { videoId: id })
  expect(told).toHaveLength(count)
  expect(new Set(told.map(({ userId }) => userId)).size).toBe(count)
}, 120_000)

test('what a killed node began, another one finishes', async () => {
  const nodes = await openNodes()
  onTestFinished(() => nodes.close())
  const env = { PROCESSING_JOBS: '0' }
  const one = await nodes.start({ env: { ...env, CLUTCH_STOP_AT: 'long-work.step-done' } })
  const chief = await register(one.origin, 'chief')
  const eve = await register(one.origin, 'eve')
  const db = openPostgresDatabase(nodes.url)
  onTestFinished(() => db.destroy())
  await changeRows(db, 'users', { where: { id: chief.id }, values: { isAdmin: 1 } })
  const [videoId = 0] = await addVideos(db, [{ userId: chief.id, title: 'Discussed' }])
  const count = STEP_ROWS * 3
  await addComments(db, { videoId, userId: eve.id, count })
  const input = { userId: eve.id, reason: 'Spam' }
  await answerAt(one.origin, { as: chief, name: 'moderation.ban', input })
  const banned = async () =>
    (await listRows(db, 'comments', { userId: eve.id, withheld: 'banned' })).length
  await until(async () => (await banned()) === STEP_ROWS * 2)
  const other = await nodes.start({ env })
  await until(async () => (await banned()) === count)
  await until(async () => (await listRows(db, 'longWork')).length === 0)
  const asked = { name: 'comment.count', input: { id: videoId } }
  expect(await answerAt<number>(other.origin, asked)).toBe(0)
}, 120_000)
