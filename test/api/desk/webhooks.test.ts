import { beforeEach, describe, expect, test } from 'vitest'
import { tidyDeliveries } from '#server/desk/webhook/delivery.queries.ts'
import { tellOfFullDisk } from '#server/desk/webhook/disk-space.service.ts'
import { createWebhookSender } from '#server/desk/webhook/webhook-sender.ts'
import { inTransaction, timestamp } from '#server/platform/db/database.ts'
import { createOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { jobFailed } from '#server/video/job/job.events.ts'
import type { Waiting } from '#shared/schemas/desk/overview.schemas.ts'
import type { Delivery, Webhook } from '#shared/schemas/desk/webhook.schemas.ts'
import { WEBHOOK_FAILURES_MAX, WEBHOOK_KINDS } from '#shared/webhooks.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRow, changeRows, listRows, readRow } from '#test/support/rows.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { until } from '#test/support/until.ts'
import { setUpWebhookReceiver, signatureOf } from '#test/support/webhook-receiver.ts'
import { PASSWORD } from '#test/support/world.ts'

const ORIGIN = 'https://clips.example.org'
const LONG_AGO = '2020-01-01T00:00:00.000Z'
const MINUTE_MS = 60_000

const site = setUpTestSite({ publicUrl: ORIGIN, localHosts: ['127.0.0.1', 'rebound.test'] })
const admin = setUpAdmin(site)
const members = setUpMembers(site, ['ann', 'bob'])
const receiver = setUpWebhookReceiver()
const { ask, refusal, statusOf } = callsOf(site)

let id: number
let secret: string

beforeEach(async () => {
  await site.db.deleteFrom('webhooks').execute()
  receiver.clear()
  ;({ id, secret } = await create())
})

const create = (fields = {}) =>
  ask<{ id: number; secret: string }>(admin, 'webhook.create', {
    ...{ format: 'standard', name: 'Bot', url: receiver.url, kinds: WEBHOOK_KINDS },
    ...fields,
  })
const deliver = () => site.deps.webhooks?.deliver()
const makeDue = () =>
  site.db
    .updateTable('webhookDeliveries')
    .set({ nextAt: LONG_AGO })
    .where('nextAt', 'is not', null)
    .execute()
const listDeliveries = (of = id) => ask<Delivery[]>(admin, 'webhook.deliveries', { id: of })
const messages = () => receiver.received.map(({ text }) => JSON.parse(text))
const kinds = () => messages().map(({ type }) => type)

async function publish(fields = {}): Promise<number> {
  const videoId = await site.addVideo(members.ann, { visibility: 'private', ...fields })
  await ask(members.ann, 'video.edit', { id: videoId, visibility: 'public' })
  return videoId
}
const join = (username: string) =>
  site.post('/api/register', {
    payload: { username, email: `${username}@example.org`, displayName: 'New', password: PASSWORD },
  })
async function failJob(videoId: number): Promise<number> {
  const now = timestamp()
  const jobId = await addRow(site.db, 'jobs', {
    ...{ kind: 'ladder', videoId, state: 'failed', error: 'It is no video.', finishedAt: now },
    ...{ createdAt: now, runAfter: now },
  })
  await inTransaction(site.db, (db) => jobFailed.raise({ db, jobId }))
  return jobId
}

describe('a webhook', () => {
  test('is told once that everybody can watch a video, signed as the standard says', async () => {
    const videoId = await publish({ title: 'Raid' })
    await ask(members.ann, 'video.edit', { id: videoId, visibility: 'members' })
    await ask(members.ann, 'video.edit', { id: videoId, visibility: 'public' })
    await deliver()
    expect(receiver.received).toHaveLength(1)
    const [sent] = receiver.received
    if (!sent) throw new Error('Nothing was sent.')
    expect(sent.headers['webhook-signature']).toBe(signatureOf(sent, secret))
    expect(Number(sent.headers['webhook-timestamp']) * 1000).toBeGreaterThan(Date.now() - MINUTE_MS)
    expect(sent.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(JSON.parse(sent.text)).toMatchObject({
      type: 'video.published',
      data: {
        video: {
          ...{ id: videoId, url: `${ORIGIN}/video/${videoId}`, title: 'Raid' },
          channel: { username: members.ann.username, url: `${ORIGIN}/profile/${members.ann.id}` },
        },
      },
    })
    const [delivery] = await listDeliveries()
    expect(delivery).toMatchObject({
      ...{ state: 'delivered', status: 204, attempts: 1, nextAt: null },
      messageId: sent.headers['webhook-id'],
    })
    await deliver()
    expect(receiver.received).toHaveLength(1)
  })

  test('is told of clips, comments, members, reports, failed jobs and a full disk', async () => {
    const videoId = await publish()
    const clip = { videoId, title: 'Shot', startSeconds: 0, endSeconds: 5 }
    await changeRows(site.db, 'videos', {
      where: { id: videoId },
      values: { duration: 30, videoUrl: '/media/a/video.mp4' },
    })
    const { id: clipId } = await ask<{ id: number }>(members.bob, 'clip.create', clip)
    const comment = { videoId, content: 'Well played' }
    await ask(members.bob, 'comment.create', comment)
    await ask(members.bob, 'report.create', { videoId, reason: 'Not mine to tell' })
    await join(`new${id}`)
    const jobId = await failJob(videoId)
    const disk = { ...site.disk, freeBytes: async () => 1000 }
    await tellOfFullDisk({ ...site.deps, disk })
    await tellOfFullDisk({ ...site.deps, disk })
    await deliver()
    expect(kinds().sort()).toEqual([...WEBHOOK_KINDS].sort())
    const dataOf = (kind: string) => messages().find(({ type }) => type === kind).data
    expect(dataOf('clip.made').clip).toMatchObject({ url: `${ORIGIN}/clip/${clipId}` })
    expect(dataOf('comment.posted').comment).toMatchObject({ content: 'Well played' })
    expect(dataOf('member.joined').member).toMatchObject({ username: `new${id}` })
    expect(dataOf('report.made')).toMatchObject({
      report: { about: 'video' },
      video: { id: videoId },
    })
    expect(JSON.stringify(dataOf('report.made'))).not.toContain('Not mine')
    expect(dataOf('job.failed')).toMatchObject({ job: { id: jobId, kind: 'ladder' } })
    expect(dataOf('disk.nearly_full').disk).toMatchObject({ freeBytes: 1000 })
    expect(receiver.received.map(({ text }) => text).join()).not.toContain('@example.org')
  })

  test('is told nothing of a video that not everybody finds, also if that changes later', async () => {
    const squad = { name: `S${id}`, tag: `S${id}`, colour: 'red', emblem: 'bolt', joining: 'open' }
    const { id: squadId } = await ask<{ id: number }>(members.ann, 'squad.create', squad)
    const levels = [
      ['members', null],
      ['unlisted', null],
      ['private', null],
      ['private', squadId],
    ] as const
    const playable = { title: 'quokka', duration: 30, videoUrl: '/media/a/video.mp4' }
    for (const [visibility, squadOf] of levels) {
      const fields = { ...playable, visibility, squadId: squadOf }
      const videoId = await site.addVideo(members.ann, fields)
      const clip = { videoId, title: 'quokka', startSeconds: 0, endSeconds: 5 }
      await ask(members.ann, 'clip.create', clip)
      await ask(members.ann, 'comment.create', { videoId, content: 'quokka' })
      await ask(admin, 'report.create', { videoId, reason: 'quokka' })
      await failJob(videoId)
    }
    const videoId = await publish(playable)
    await ask(members.bob, 'comment.create', { videoId, content: 'quokka' })
    await ask(members.ann, 'video.edit', { id: videoId, visibility: 'unlisted' })
    await deliver()
    expect(new Set(kinds())).toEqual(new Set(['report.made', 'job.failed']))
    const told = receiver.received.map(({ text }) => text).join()
    expect(told).not.toContain('quokka')
    expect(told).not.toContain('/video/')
    expect((await listDeliveries()).filter(({ state }) => state === 'dropped').length).toBe(10)
  })

  test('is told of an approved video and comment after the approval', async () => {
    const videoId = await site.addVideo(members.ann, { contentApproved: 0 })
    await ask(admin, 'moderation.approve', { id: videoId })
    const commentId = await addRow(site.db, 'comments', {
      ...{ videoId, userId: members.bob.id, content: 'Held', withheld: 'held' },
      createdAt: timestamp(),
    })
    await ask(admin, 'moderation.approveComment', { id: commentId })
    await deliver()
    expect(kinds()).toEqual(['video.published', 'comment.posted'])
  })

  test('is told nothing of its other kinds, of what is rolled back, or while it is off', async () => {
    await ask(admin, 'webhook.edit', { id, kinds: ['clip.made'] })
    await publish()
    await ask(admin, 'webhook.edit', { id, kinds: ['video.published'] })
    const videoId = await site.addVideo(members.ann, { visibility: 'private' })
    await ask(admin, 'webhook.edit', { id, isActive: false })
    await publish()
    await ask(admin, 'webhook.edit', { id, isActive: true })
    const was = { title: 'Another title' }
    const wish = { id: videoId, visibility: 'public', title: 'Mine', was }
    expect(await statusOf(members.ann, 'video.edit', wish)).toBe(409)
    await deliver()
    expect(receiver.received).toEqual([])
  })

  test('gets a failed message again, after growing pauses, for a day', async () => {
    receiver.answerWith((response) => response.writeHead(500).end('not now'))
    await publish()
    const minutes: number[] = []
    for (let state = 'waiting'; state === 'waiting'; ) {
      await makeDue()
      await deliver()
      const [delivery] = await listDeliveries()
      if (!delivery) throw new Error('The delivery is gone.')
      ;({ state } = delivery)
      expect(delivery).toMatchObject({ status: 500, answer: 'not now' })
      if (delivery.nextAt) {
        minutes.push(Math.round((Date.parse(delivery.nextAt) - Date.now()) / MINUTE_MS))
      }
    }
    expect(minutes).toEqual(minutes.toSorted((one, other) => one - other))
    const hours = minutes.reduce((sum, wait) => sum + wait, 0) / 60
    expect(hours).toBeGreaterThan(20)
    expect(hours).toBeLessThan(24)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    receiver.answerWith((response) => response.writeHead(200).end())
    const [failed] = await listDeliveries()
    await ask(admin, 'webhook.sendAgain', { deliveryId: failed?.id })
    expect(await statusOf(admin, 'webhook.sendAgain', { deliveryId: failed?.id })).toBe(409)
    await deliver()
    expect((await listDeliveries())[0]?.state).toBe('delivered')
  })

  test('is paused after fifty failures in a row, which the bell shows, until it is resumed', async () => {
    receiver.answerWith((response) => response.writeHead(500).end())
    const values = { failures: WEBHOOK_FAILURES_MAX - 1 }
    await changeRows(site.db, 'webhooks', { where: { id }, values })
    const paused = async () => (await ask<Waiting>(admin, 'overview.waiting')).pausedWebhooks
    expect(await paused()).toBe(0)
    await publish()
    await deliver()
    expect(await paused()).toBe(1)
    await makeDue()
    await publish()
    await deliver()
    expect(receiver.received).toHaveLength(1)
    receiver.clear()
    await ask(admin, 'webhook.edit', { id, isActive: true })
    expect(await paused()).toBe(0)
    await makeDue()
    await deliver()
    expect(receiver.received).toHaveLength(1)
    receiver.answerWith((response) => response.writeHead(410).end())
    await publish()
    await deliver()
    expect(await paused()).toBe(1)
  })

  test('is signed for with both secrets for a day after a renewal', async () => {
    const { secret: renewed } = await ask<{ secret: string }>(admin, 'webhook.renewSecret', { id })
    await ask(admin, 'webhook.sendTest', { id })
    const renewedAt = LONG_AGO
    await changeRows(site.db, 'webhooks', { where: { id }, values: { renewedAt } })
    await ask(admin, 'webhook.sendTest', { id })
    const [first, second] = receiver.received
    if (!first || !second) throw new Error('No test came.')
    const expected = `${signatureOf(first, renewed)} ${signatureOf(first, secret)}`
    expect(first.headers['webhook-signature']).toBe(expected)
    expect(second.headers['webhook-signature']).toBe(signatureOf(second, renewed))
    const listed = JSON.stringify(await ask(admin, 'webhook.list'))
    expect(listed).not.toContain(renewed)
    expect(listed).not.toContain(secret)
    const audit = await listRows(site.db, 'auditLog', { action: 'webhook.renew-secret' })
    expect(audit.at(-1)).toMatchObject({ actorId: admin.id, targetName: 'Bot' })
  })

  test('needs a whole address and an event', async () => {
    const wish = { format: 'standard', name: 'Bot', url: 'ftp://127.0.0.1', kinds: WEBHOOK_KINDS }
    expect(await refusal(admin, 'webhook.create', wish)).toMatch(/^400 .*must begin with https/)
    const none = { format: 'standard', name: 'Bot', url: receiver.url, kinds: [] }
    expect(await refusal(admin, 'webhook.create', none)).toMatch(/^400 .*at least one event/)
    expect(await refusal(admin, 'webhook.remove', { id: id + 1 })).toBe(
      '404 There is no such webhook.',
    )
    await ask(admin, 'webhook.remove', { id })
    expect(await ask(admin, 'webhook.list')).toEqual({ items: [], isAvailable: true })
  })

  test('is forgotten by its log after a week, and what waits after a day', async () => {
    await publish()
    const [waiting] = await listRows(site.db, 'webhookDeliveries', { webhookId: id })
    await tidyDeliveries(site.db, Date.now() + 26 * 60 * MINUTE_MS)
    expect((await readRow(site.db, 'webhookDeliveries', { id: waiting?.id ?? 0 })).state).toBe(
      'failed',
    )
    await tidyDeliveries(site.db, Date.now() + 8 * 24 * 60 * MINUTE_MS)
    expect(await listRows(site.db, 'webhookDeliveries', { webhookId: id })).toEqual([])
  })
})

describe('a receiver', () => {
  test('that is slow holds up no other', async () => {
    const held: (() => void)[] = []
    receiver.answerWith((response, { path }) => {
      if (path === '/slow') held.push(() => response.writeHead(204).end())
      else response.writeHead(204).end()
    })
    await ask(admin, 'webhook.edit', { id, url: receiver.url.replace('/hook', '/slow') })
    await create()
    await publish()
    await publish()
    const done = deliver()
    const at = (path: string) => receiver.received.filter((one) => one.path === path).length
    await until(() => at('/hook') === 2 && held.length === 1)
    expect(at('/slow')).toBe(1)
    held.pop()?.()
    await until(() => held.length === 1)
    held.pop()?.()
    await done
  })

  test.for<[string, number | null, RegExp, Parameters<typeof receiver.answerWith>[0]]>([
    ['refuses', 403, /answered with status 403/, (response) => response.writeHead(403).end('no')],
    [
      'redirects',
      null,
      /redirects the request/,
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    ['hangs up', null, /cannot be reached/, (response) => void response.destroy()],
  ])('that %s is tried again', async ([, status, sentence, answer]) => {
    receiver.answerWith(answer)
    const sent = await ask<Delivery>(admin, 'webhook.sendTest', { id })
    expect(sent).toMatchObject({
      state: 'failed',
      status,
      lastError: expect.stringMatching(sentence),
    })
    expect((await readRow(site.db, 'webhooks', { id })).failures).toBe(0)
    await publish()
    await deliver()
    const [delivery] = await listDeliveries()
    expect(delivery).toMatchObject({ state: 'waiting', attempts: 1, status })
    expect((await readRow(site.db, 'webhooks', { id })).failures).toBe(1)
    expect(receiver.received).toHaveLength(2)
  })

  test('that answers a gigabyte is left after the first kilobyte', async () => {
    let written = 0
    receiver.answerWith((response) => {
      response.writeHead(200)
      const more = () => {
        while (written < 1e9 && !response.destroyed) {
          written += 65_536
          if (!response.write(Buffer.alloc(65_536, 'ab'))) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    })
    const sent = await ask<Delivery>(admin, 'webhook.sendTest', { id })
    expect(sent).toMatchObject({ state: 'delivered', status: 200 })
    expect(sent.answer).toHaveLength(1024)
    expect(written).toBeLessThan(1e8)
  })

  test('whose name leads to this machine the second time is asked at the checked address', async () => {
    let lookups = 0
    const outgoing = createOutgoing({
      log: site.log,
      localHosts: async () => [],
      // The second answer would be this machine.
      resolve: async () => [{ address: ++lookups === 1 ? '192.0.2.1' : '127.0.0.1', family: 4 }],
    })
    const { db, config, media } = site
    const deadline = new AbortController().signal
    const sender = createWebhookSender({ config, db, media, outgoing, log: site.log, deadline })
    await ask(admin, 'webhook.edit', { id, url: `https://rebound.test:${receiver.port}/hook` })
    await publish()
    await sender?.deliver()
    await makeDue()
    await sender?.deliver()
    expect(receiver.received).toEqual([])
    expect(lookups).toBe(2)
    expect((await readRow(site.db, 'webhooks', { id })).lastError).toContain('local network')
  })
})

test('a site without PUBLIC_URL has no webhooks', async () => {
  const { webhooks: _, ...deps } = site.deps
  expect(
    createWebhookSender({ ...deps, log: site.log, config: { publicUrl: undefined } }),
  ).toBeUndefined()
  const { items } = await ask<{ items: Webhook[] }>(admin, 'webhook.list')
  expect(items).toHaveLength(1)
})
