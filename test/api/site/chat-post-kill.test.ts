import { afterAll, beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { type ChatServer, startChatServer } from '#test/support/chat-server.ts'
import { isLongForm } from '#test/support/long-form.ts'
import { addRow, changeRows, listRows } from '#test/support/rows.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { answerOf, type NodeMember, register } from '#test/support/several-nodes.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'
import { until } from '#test/support/until.ts'

const KILLS = isLongForm ? 50 : 1
const LONG_AGO = '2020-01-01T00:00:00.000Z'
const STEPS = ['chat-post.answered', 'chat-post.begun']
const RANDOM_MS_MAX = 2500

let chat: ChatServer
let server: ServerProcess
let ann: NodeMember

const env = (step?: string) => ({
  ...{ PUBLIC_URL: 'https://clips.example.org', LOCAL_HOSTS: '127.0.0.1' },
  ...(step && { CLUTCH_STOP_AT: step }),
})

beforeAll(async () => {
  chat = await startChatServer()
  server = await startServer({ env: env(STEPS[0]) })
  ann = await register(server.origin, 'ann')
  await writeRows(server, (db) =>
    addRow(db, 'webhooks', {
      ...{ format: 'discord', name: 'Clips', url: chat.url, template: '{title} {link}' },
      ...{ editsPosts: 1, deletesPosts: 1, createdAt: timestamp() },
    }),
  )
})
afterAll(async () => {
  await server.remove()
  await chat.stop()
})

async function restart(step?: string): Promise<void> {
  const { dataFolder, port } = server
  await server.stop('SIGKILL')
  for (let attempt = 1; ; attempt++) {
    try {
      server = await startServer({ dataFolder, port, env: env(step) })
      return
    } catch (error) {
      // An earlier video may reach the step while the site starts.
      if (step === undefined || attempt === 5) throw error
    }
  }
}

async function isGone(): Promise<boolean> {
  return fetch(`${server.origin}/api/health`).then(
    () => false,
    () => true,
  )
}

const readPosts = () => writeRows(server, (db) => listRows(db, 'chatPosts'))

async function publish(title: string, step?: string): Promise<number> {
  const video = { userId: ann.id, title, visibility: 'private' as const }
  const [id = 0] = await writeRows(server, (db) => addVideos(db, [video]))
  const edit = { as: ann, name: 'video.edit', input: { id, visibility: 'public' } }
  try {
    await answerOf(server.origin, edit)
  } catch (error) {
    // An earlier video may have reached the step at which the site is killed.
    if (!(await isGone())) throw error
    await restart(step)
    await answerOf(server.origin, edit)
  }
  return id
}

test('a video is posted at most once by a site that is killed again and again', async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    // Every third kill comes at any moment.
    const step = kill % 3 === 2 ? undefined : STEPS[kill % 3]
    if (kill > 0) await restart(step)
    await publish(`Video ${kill}`, step)
    if (step) await until(isGone)
    else await new Promise((resolve) => setTimeout(resolve, Math.random() * RANDOM_MS_MAX))
  }
  await restart()
  const last = await publish('The last')
  // Simulates the end of the lease of the killed node.
  const makeDue = () =>
    writeRows(server, (db) =>
      changeRows(db, 'chatPosts', { where: { state: 'sending' }, values: { nextAt: LONG_AGO } }),
    )
  await until(async () => {
    await makeDue()
    return (await readPosts()).every(({ state }) => ['posted', 'unknown'].includes(state))
  })
  const postsOf = await readPosts()
  expect(postsOf).toHaveLength(KILLS + 1)
  const countOf = (videoId: number) =>
    chat.contents().filter((content) => content.endsWith(`/video/${videoId}`)).length
  for (const { videoId, state } of postsOf) {
    if (state === 'posted') expect(countOf(videoId)).toBe(1)
    else expect(countOf(videoId)).toBeLessThanOrEqual(1)
  }
  expect(countOf(last)).toBe(1)
  // Unknown are those at whose steps the site was killed, and few others.
  const unknown = postsOf.filter(({ state }) => state === 'unknown').length
  expect(unknown).toBeGreaterThan(0)
  expect(unknown).toBeLessThanOrEqual(KILLS)
  const missing = postsOf.filter(({ videoId }) => countOf(videoId) === 0)
  expect(missing.every(({ state }) => state === 'unknown')).toBe(true)
}, 600_000)
