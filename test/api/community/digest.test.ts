import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { postDigests } from '#server/community/digest/digest.service.ts'
import { linkIn, type MailServer, startMailServer } from '#test/support/mail-server.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRow, changeRows, listRows } from '#test/support/rows.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'

const ORIGIN = 'https://clips.example.org'
const LONG_AGO = '2020-01-01T00:00:00.000Z'
const DAY_MS = 86_400_000

let server: MailServer
let site: TestSite
let ann: TestMember
let bob: TestMember
let calls: ReturnType<typeof callsOf>
let round = 0

beforeAll(async () => {
  server = await startMailServer()
  site = await openTestSite({ publicUrl: ORIGIN, mail: server.config })
  calls = callsOf(site)
})
afterAll(async () => {
  await site.close()
  await server.stop()
})
beforeEach(async () => {
  round++
  server.clear()
  await site.db.deleteFrom('digests').execute()
  ann = await site.addMember(`ann${round}`)
  bob = await site.addMember(`bob${round}`)
  await set(ann, { emailVerifiedAt: LONG_AGO })
})

const set = (member: TestMember, values: object) =>
  changeRows(site.db, 'users', { where: { id: member.id }, values })
const choose = (every: 'never' | 'day' | 'week', as = ann) =>
  calls.ask(as, 'digest.choose', { every })
const letters = () => server.to(`${ann.username}@example.org`)
const like = async (videoId: number, as = bob) =>
  site.post('/api/likes', { as, payload: { videoId, isLike: true } })
const tell = (title: string, more: object = {}) =>
  addRow(site.db, 'notifications', {
    userId: ann.id,
    type: 'comment',
    title,
    message: `About ${title}`,
    sourceUserId: bob.id,
    createdAt: new Date().toISOString(),
    ...more,
  })
/** Sends the summaries that are due `days` days from now. */
async function pass(days: number): Promise<void> {
  await postDigests(site.deps, new Date(Date.now() + days * DAY_MS + 1000))
  await site.deps.mail?.deliver()
}

test('a summary tells what is unread and new, once, in lines like the bell', async () => {
  await tell('Old news')
  await choose('day')
  const video = await site.addVideo(ann, { title: 'Ace' })
  await like(video)
  await tell('<b>A word</b>')
  const read = await tell('Read already')
  await changeRows(site.db, 'notifications', { where: { id: read }, values: { read: 1 } })
  await pass(0.5)
  expect(letters()).toEqual([])
  await pass(1)
  const [letter] = letters()
  expect(letters()).toHaveLength(1)
  expect(letter?.headers.subject).toBe('2 new notifications')
  expect(letter?.text).toContain('* New like\n  bob')
  expect(letter?.text).toContain('* <b>A word</b>\n  About <b>A word</b>')
  expect(letter?.html).toContain('&lt;b&gt;A word&lt;/b&gt;')
  expect(letter?.text).not.toMatch(/Old news|Read already/)
  expect(letter?.text).toContain(`${ORIGIN}/notifications`)
  await pass(2)
  expect(letters()).toHaveLength(1)
  await tell('Later')
  await pass(3)
  expect(letters()[1]?.text).toMatch(/\* Later\n/)
  expect(letters()[1]?.text).not.toContain('A word')
})

test('what can no longer be seen is not told', async () => {
  await choose('day')
  const video = await site.addVideo(bob, { title: 'Secret plan' })
  await tell('Secret plan', { videoId: video })
  await tell('From somebody banned', { sourceUserId: (await site.addMember(`eve${round}`)).id })
  await changeRows(site.db, 'videos', { where: { id: video }, values: { visibility: 'private' } })
  await changeRows(site.db, 'users', {
    where: { username: `eve${round}` },
    values: { bannedAt: LONG_AGO },
  })
  await pass(1)
  expect(letters()).toEqual([])
  await tell('In the open')
  await pass(2)
  expect(letters()[0]?.text).toContain('In the open')
  expect(letters()[0]?.text).not.toMatch(/Secret|banned/)
})

test('twenty lines are the most', async () => {
  await choose('week')
  for (let count = 0; count < 23; count++) await tell(`Number ${count}.`)
  await pass(1)
  expect(letters()).toEqual([])
  await pass(7)
  const text = letters()[0]?.text ?? ''
  expect(text.match(/\* Number/g)).toHaveLength(20)
  expect(text).toContain('Number 22.')
  expect(text).toContain('there is more on the site')
  expect(text).toContain('once a week')
})

test('of several nodes one sends it', async () => {
  await choose('day')
  await tell('Something')
  const later = new Date(Date.now() + DAY_MS + 1000)
  await Promise.all([1, 2, 3].map(() => postDigests(site.deps, later)))
  expect(await listRows(site.db, 'mails')).toHaveLength(1)
  await Promise.all([site.deps.mail?.deliver(), site.deps.mail?.deliver()])
  expect(letters()).toHaveLength(1)
})

test('none goes to an address that is not verified, to banned members, or after the choice ended', async () => {
  await set(ann, { emailVerifiedAt: null })
  expect(await calls.refusal(ann, 'digest.choose', { every: 'day' })).toMatch(/^409 Please verify/)
  await set(ann, { emailVerifiedAt: LONG_AGO })
  await choose('day')
  for (const values of [
    { emailVerifiedAt: null },
    { emailRefusedAt: LONG_AGO },
    { bannedAt: LONG_AGO },
    { deletion: 'keep-comments' as const },
  ]) {
    await tell('Something')
    await set(ann, values)
    await pass(1)
    await set(ann, {
      emailVerifiedAt: LONG_AGO,
      emailRefusedAt: null,
      bannedAt: null,
      deletion: null,
    })
  }
  await postDigests(site.deps, new Date(Date.now() + DAY_MS + 1000))
  await choose('never')
  await site.deps.mail?.deliver()
  await pass(5)
  expect(server.received).toEqual([])
})

test('it can be ended by a POST without a cookie, and by opening its link by nothing', async () => {
  await choose('day')
  await tell('Something')
  await pass(1)
  const [letter] = letters()
  const link = letter ? linkIn(letter, 'unsubscribe') : ''
  expect(letter?.headers['list-unsubscribe']).toBe(`<${ORIGIN}${link}>`)
  expect(letter?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
  const choice = () => calls.ask(ann, 'digest.choice')
  for (const method of ['GET', 'HEAD'] as const) await site.call({ method, url: link })
  expect(await choice()).toEqual({ every: 'day' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (url: string, type = headers['content-type']) =>
    site.post(url, { payload: 'List-Unsubscribe=One-Click', headers: { 'content-type': type } })
  const other = link.replace(/=\d+\./, `=${bob.id}.`)
  for (const wrong of [other, `${link}x`, link.slice(0, -3), '/unsubscribe']) {
    expect((await post(wrong)).statusCode).toBe(404)
    const token = wrong.split('=')[1] ?? ''
    expect(await calls.refusal(undefined, 'digest.unsubscribe', { token })).toMatch(
      /^404 This link is not complete/,
    )
  }
  expect(await choice()).toEqual({ every: 'day' })
  expect((await post(link)).statusCode).toBe(200)
  expect(await choice()).toEqual({ every: 'never' })
  expect((await post(link, 'multipart/form-data; boundary=x')).statusCode).toBe(200)

  await choose('day')
  await calls.ask(undefined, 'digest.unsubscribe', { token: link.split('=')[1] })
  expect(await choice()).toEqual({ every: 'never' })
})
