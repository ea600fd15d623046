import { beforeAll, expect, test } from 'vitest'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'

const server = setUpHostedSite()
const SHELL = ['site.settings', 'auth.currentUser', 'notification.browse']
let videoId: number

beforeAll(async () => {
  const titles = Array.from({ length: 6 }, (_, index) => `Round ${index + 1}`)
  const [first = 0] = await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Nova')
    return addVideos(
      db,
      titles.map((title) => ({ userId, title })),
    )
  })
  videoId = first
})

/** Calls that a page makes once the browser is idle: the live page, squads of the sidebar, and people to follow. */
const WHEN_IDLE = ['live.onVideo', 'squad.mine', 'home.people']

/** Reads of a page, opened by its address, of a member who was here before; each with its calls in order of the alphabet. */
async function openAsMember(username: string, { path, done }: { path: string; done: string }) {
  const { page, problems } = await server.open()
  await register(page, username)
  await page.goto('/about')
  await page.waitForLoadState('networkidle')
  const batches: string[][] = []
  let isLive = false
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const calls = /^\/trpc\/(.*)/.exec(pathname)?.[1]?.split(',')
    if (!calls) return
    if (calls.every((call) => WHEN_IDLE.includes(call))) return
    if (calls.includes('live.onChange')) isLive = true
    // Events before the stream was open are requested once more.
    else if (!isLive || calls.some((call) => call !== 'notification.browse'))
      batches.push(calls.sort())
  })
  await page.goto(path)
  await page.getByText(done).first().waitFor()
  await expect.poll(() => isLive).toBe(true)
  return { batches, problems }
}

test('a member’s home is asked for in one batch, and places in its videos in another', async () => {
  const { batches, problems } = await openAsMember('wilma', { path: '/', done: 'Round 6' })
  expect(batches).toEqual([
    [
      ...SHELL,
      ...['clip.newest', 'explore.pinned', 'history.unfinished', 'subscription.channels'],
      ...['home.tonight', 'home.visit', 'video.list', 'video.listSubscribed'],
    ].sort(),
    ['history.positions'],
  ])
  expect(problems).toEqual([])
})

test('a member’s watch page is asked for in one batch', async () => {
  const path = `/video/${videoId}`
  const { batches, problems } = await openAsMember('fred', { path, done: 'Round 1' })
  expect(batches).toEqual([
    [
      ...SHELL,
      ...['clip.ofVideo', 'comment.count', 'comment.list', 'comment.pinned', 'participant.list'],
      ...['video.get', 'video.playback', 'video.recommended'],
    ].sort(),
  ])
  expect(problems).toEqual([])
})

test('a member’s notifications are asked for in one batch', async () => {
  const empty = 'What others say and do about your videos appears here.'
  const { batches, problems } = await openAsMember('betty', { path: '/notifications', done: empty })
  // The bell and the page have a list each.
  expect(batches).toEqual([[...SHELL, 'notification.browse', 'subscription.channels'].sort()])
  expect(problems).toEqual([])
})

test('on a device whose session has ended the page is a visitor’s', async () => {
  const { page, problems } = await server.open()
  await register(page, 'barney')
  await page.goto('/about')
  await page.getByRole('button', { name: 'User menu' }).waitFor()
  // An open page would ask for its notifications again, and be refused.
  await page.goto('about:blank')
  await writeRows(server, (db) => db.deleteFrom('sessions').execute())
  await page.goto('/')
  await page.getByText('Round 6').first().waitFor()
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(problems).toEqual([])
})

test('a visitor on whose device nobody signed in asks nothing of members', async () => {
  const { page, problems } = await server.open({ isNew: true })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/explore')
  await page.getByRole('heading', { name: 'Explore' }).first().waitFor()
  await page.waitForLoadState('networkidle')
  expect(asked.filter((url) => /trpc.*(notification|subscription)/.test(url))).toEqual([])
  expect(problems).toEqual([])
})
