import { beforeEach, expect, test } from 'vitest'
import { renderPost } from '#server/desk/webhook/post-text.ts'
import { inTransaction, timestamp } from '#server/platform/db/database.ts'
import { jobFailed } from '#server/video/job/job.events.ts'
import { finishDeletion } from '#server/video/video/video-deletion.ts'
import type { ChatPost, Webhook } from '#shared/schemas/desk/webhook.schemas.ts'
import { CHAT_FILE_BYTES_MAX } from '#shared/webhooks.ts'
import { setUpChatServer } from '#test/support/chat-server.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRow, addRows, changeRows, readRow } from '#test/support/rows.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { storeFiles } from '#test/support/stored-files.ts'

const ORIGIN = 'https://clips.example.org'
const LONG_AGO = '2020-01-01T00:00:00.000Z'

const site = setUpTestSite({ publicUrl: ORIGIN, localHosts: ['127.0.0.1'] })
const admin = setUpAdmin(site)
const members = setUpMembers(site, ['ann', 'bob'])
const chat = setUpChatServer()
const { ask, refusal, statusOf } = callsOf(site)

let id: number

beforeEach(async () => {
  await site.db.deleteFrom('webhooks').execute()
  chat.clear()
  id = await create()
})

async function create(fields = {}): Promise<number> {
  const wish = {
    ...{ format: 'discord', name: 'Clips', url: chat.url, template: '{title} by {name}: {link}' },
    ...{ category: null, squadId: null, sendsFile: false, editsPosts: true, deletesPosts: true },
    ...fields,
  }
  return (await ask<{ id: number }>(admin, 'webhook.create', wish)).id
}
const edit = (fields: object) => ask(admin, 'webhook.edit', { id, ...fields })
const deliver = () => site.deps.webhooks?.deliver()
const posts = (of = id) => ask<ChatPost[]>(admin, 'webhook.posts', { id: of })
const states = async () => (await posts()).map(({ state }) => state)
const makeDue = () =>
  changeRows(site.db, 'chatPosts', { where: { webhookId: id }, values: { nextAt: LONG_AGO } })
const linkTo = (videoId: number) => `${ORIGIN}/video/${videoId}`

async function publish(fields = {}, level = { visibility: 'public' }): Promise<number> {
  const wish = { title: 'Raid', visibility: 'private' as const, ...fields }
  const videoId = await site.addVideo(members.ann, wish)
  await ask(members.ann, 'video.edit', { id: videoId, ...level })
  return videoId
}
const change = (videoId: number, fields: object) =>
  ask(members.ann, 'video.edit', { id: videoId, ...fields })
const addLadder = (videoId: number) =>
  addRow(site.db, 'jobs', {
    ...{ kind: 'ladder', videoId, state: 'running', createdAt: timestamp() },
    runAfter: timestamp(),
  })

test('a video is posted once, its title is edited, and it is deleted with the video', async () => {
  const videoId = await publish()
  await deliver()
  await change(videoId, { visibility: 'members' })
  await change(videoId, { visibility: 'public' })
  await makeDue()
  await deliver()
  expect([...chat.messages.values()]).toEqual([
    {
      content: `Raid by ${members.ann.username}: ${linkTo(videoId)}`,
      ...{ file: null, mentions: { parse: [] } },
    },
  ])
  await change(videoId, { title: 'A better title' })
  await deliver()
  expect(chat.contents()).toEqual([`A better title by ${members.ann.username}: ${linkTo(videoId)}`])
  await ask(members.ann, 'video.delete', { id: videoId })
  await finishDeletion(site.deps, videoId)
  await deliver()
  expect(chat.contents()).toEqual([])
  expect(await posts()).toEqual([])
  expect(chat.received.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'DELETE'])
})

test('a message is left alone if the admin wants neither edits nor deletions', async () => {
  await edit({ editsPosts: false, deletesPosts: false })
  const videoId = await publish()
  await deliver()
  await change(videoId, { title: 'A better title' })
  await change(videoId, { visibility: 'private' })
  await deliver()
  expect(chat.received).toHaveLength(1)
  await ask(members.ann, 'video.delete', { id: videoId })
  await finishDeletion(site.deps, videoId)
  await deliver()
  expect(chat.received).toHaveLength(1)
  expect(await posts()).toEqual([])
})

test('a video that becomes private takes its message away, and does not bring another', async () => {
  const videoId = await publish()
  await deliver()
  await change(videoId, { visibility: 'private' })
  await deliver()
  expect(chat.contents()).toEqual([])
  await change(videoId, { visibility: 'public' })
  await makeDue()
  await deliver()
  expect(chat.contents()).toEqual([])
  expect(await states()).toEqual(['deleted'])
})

test('a post waits for the file for chats, and comes without it if that fails', async () => {
  const made = await site.addVideo(members.ann, { visibility: 'private' })
  const failed = await site.addVideo(members.ann, { visibility: 'private' })
  const jobs = [await addLadder(made), await addLadder(failed)]
  for (const videoId of [made, failed]) await change(videoId, { visibility: 'public' })
  await deliver()
  expect(chat.contents()).toEqual([])
  await changeRows(site.db, 'videos', {
    where: { id: made },
    values: { hlsUrl: '/media/a/master.m3u8' },
  })
  await deliver()
  expect(chat.contents()).toEqual([expect.stringContaining(linkTo(made))])
  const [, jobId = 0] = jobs
  await changeRows(site.db, 'jobs', { where: { id: jobId }, values: { state: 'failed' } })
  await inTransaction(site.db, (db) => jobFailed.raise({ db, jobId }))
  await deliver()
  expect(chat.contents()).toHaveLength(2)
})

test('only videos that everybody finds are posted, of the chosen category, squad or channel', async () => {
  const tag = `T${id}`
  const squad = { name: tag, tag, colour: 'red', emblem: 'bolt', joining: 'open' }
  const { id: squadId } = await ask<{ id: number }>(members.ann, 'squad.create', squad)
  const ofSquad = await create({ squadId })
  const ofRust = await create({ category: 'Rust' })
  const ofAnn = await create({ channel: members.ann.username })
  const ofAdmin = await create({ channel: admin.username })
  for (const visibility of ['members', 'unlisted', 'private']) await publish({}, { visibility })
  await publish({}, { visibility: 'private', ...{ squadId } })
  await deliver()
  expect(chat.received).toEqual([])
  const rust = await publish({ category: 'Rust' })
  const hidden = await publish({ isAnonymous: 1 })
  await deliver()
  const videosOf = async (of: number) => (await posts(of)).map(({ videoId }) => videoId).sort()
  expect(await videosOf(id)).toEqual([rust, hidden])
  // Posting in the squad of Ann would reveal whose video it is.
  expect(await videosOf(ofSquad)).toEqual([rust])
  expect(await videosOf(ofRust)).toEqual([rust])
  expect(await videosOf(ofAnn)).toEqual([rust])
  expect(await videosOf(ofAdmin)).toEqual([])
  expect(chat.contents()).toContain(`Raid by Somebody: ${linkTo(hidden)}`)
  const both = { category: 'Rust', squadId }
  expect(await refusal(admin, 'webhook.edit', { id, ...both })).toMatch(/^400 Choose a category/)
  const two = { squadId, channel: members.ann.username }
  expect(await refusal(admin, 'webhook.edit', { id, ...two })).toMatch(/^400 Choose a category/)
  expect(await refusal(admin, 'webhook.edit', { id, channel: 'nobody' })).toBe(
    '400 There is nobody here with the name @nobody.',
  )
  const { items } = await ask<{ items: Webhook[] }>(admin, 'webhook.list')
  expect(items.find((one) => one.id === ofAnn)).toMatchObject({
    ...{ channel: members.ann.username, squad: null },
  })
})

test('the file of at most 10 MiB is attached, unless the owner or Discord does not want it', async () => {
  await edit({ sendsFile: true })
  const addFile = async (videoId: number, bytes: Buffer) => {
    const { mediaKey } = await readRow(site.db, 'videos', { id: videoId })
    await storeFiles(site, mediaKey, { 'share.mp4': bytes })
    const file = { videoId, name: 'share.mp4', kind: 'share' as const, bytes: bytes.length }
    await addRows(site.db, 'mediaFiles', file)
    const values = { shareUrl: `/media/${mediaKey}/share.mp4` }
    await changeRows(site.db, 'videos', { where: { id: videoId }, values })
  }
  const add = async (bytes: Buffer, fields = {}) => {
    const videoId = await site.addVideo(members.ann, { visibility: 'private', ...fields })
    await addFile(videoId, bytes)
    await change(videoId, { visibility: 'public' })
    await deliver()
    return { videoId, message: [...chat.messages.values()].at(-1) }
  }
  const small = Buffer.alloc(5000, 'clip')
  const sent = await add(small)
  expect(sent.message).toMatchObject({
    content: expect.stringContaining(`<${linkTo(sent.videoId)}>`),
    file: small,
  })
  await change(sent.videoId, { title: 'Renamed' })
  await deliver()
  expect(sent.message?.content).toMatch(/^Renamed .*<https:/)
  expect((await add(Buffer.alloc(CHAT_FILE_BYTES_MAX + 1))).message?.file).toBeNull()
  expect((await add(small, { discordEmbed: 0 })).message?.file).toBeNull()
  chat.answerWith((response, received) => {
    if (received.body.length > 4000) response.writeHead(413).end()
    else void chat.answer(response, received)
  })
  const refused = await add(small)
  expect(refused.message).toMatchObject({
    content: expect.stringMatching(/: https:/),
    file: null,
  })
})

test('texts by members notify nobody and have no format', () => {
  const values = { title: '**@everyone** <@1> [a](https://x)', name: '_ann_', game: 'CS2' }
  const text = renderPost('{title} · {name} · {game}\n{link} {other}', { ...values, link: ORIGIN })
  expect(text).toBe(
    `\\*\\*\\@everyone\\*\\* \\<\\@1\\> \\[a\\]\\(https\\://x\\) · \\_ann\\_ · CS2\n${ORIGIN} {other}`,
  )
})

test.for<[string, Parameters<typeof chat.answerWith>[0]]>([
  ['503', (response) => response.writeHead(503).end()],
  ['429', (response) => response.writeHead(429).end('{"retry_after":30}')],
])('an answer of %s is no message: it is posted later', async ([status, answer]) => {
  chat.answerWith(answer)
  await publish()
  await deliver()
  const [waiting] = await posts()
  expect(waiting?.state).toBe('waiting')
  const waitMs = Date.parse(waiting?.nextAt ?? '') - Date.now()
  if (status === '429') expect(waitMs).toBeGreaterThan(20_000)
  expect((await readRow(site.db, 'webhooks', { id })).failures).toBe(status === '429' ? 0 : 1)
  chat.answerWith(chat.answer)
  await makeDue()
  await deliver()
  expect(chat.messages.size).toBe(1)
})

test.for<[string, Parameters<typeof chat.answerWith>[0]]>([
  ['502', (response) => response.writeHead(502).end()],
  ['a broken line', (response) => response.destroy()],
])(
  'after %s it is not known whether it was posted, so only an admin posts it again',
  async ([, answer]) => {
    chat.answerWith(async (response, received) => {
      // It did arrive.
      const ignored = { writeHead: () => ({ end: () => {} }) } as unknown as typeof response
      await chat.answer(ignored, received)
      answer(response, received)
    })
    await publish()
    await deliver()
    chat.answerWith(chat.answer)
    await makeDue()
    await deliver()
    expect(chat.messages.size).toBe(1)
    const [post] = await posts()
    expect(post?.state).toBe('unknown')
    await ask(admin, 'webhook.postAgain', { postId: post?.id })
    expect(await statusOf(admin, 'webhook.postAgain', { postId: post?.id })).toBe(409)
    await deliver()
    expect(chat.messages.size).toBe(2)
    expect(await states()).toEqual(['posted'])
  },
)

test('a webhook that Discord does not know any more is paused at once', async () => {
  chat.answerWith((response) => response.writeHead(404).end('{"code":10015}'))
  await publish()
  await deliver()
  const { items } = await ask<{ items: Webhook[] }>(admin, 'webhook.list')
  expect(items[0]).toMatchObject({
    address: chat.url.replace('a-token', '…'),
    lastError: 'Discord does not know this webhook any more.',
    pausedAt: expect.any(String),
  })
  chat.answerWith(chat.answer)
  await edit({ isActive: true, url: chat.url })
  await deliver()
  expect(chat.messages.size).toBe(1)
})

test('a message that was deleted in the chat stays deleted', async () => {
  const videoId = await publish()
  await deliver()
  chat.messages.clear()
  await change(videoId, { title: 'A better title' })
  await deliver()
  expect(await states()).toEqual(['deleted'])
  expect(chat.messages.size).toBe(0)
})

test('a webhook of a chat is tested, and has an address of Discord and a link', async () => {
  await ask(admin, 'webhook.sendTest', { id })
  expect(chat.contents()).toEqual(['A test from Clutch.'])
  expect(await refusal(admin, 'webhook.edit', { id, url: 'https://discord.com/channels/1' })).toBe(
    '400 Enter the address of a webhook as Discord copies it.',
  )
  expect(await refusal(admin, 'webhook.edit', { id, template: '{title}' })).toMatch(
    /^400 .*must contain the link/,
  )
  expect(await statusOf(admin, 'webhook.renewSecret', { id })).toBe(409)
})
