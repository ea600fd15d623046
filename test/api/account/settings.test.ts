import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { OwnUser, User } from '#shared/schemas/user.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { makeClip, readStill } from '#test/support/clips.ts'
import { makePng } from '#test/support/png.ts'
import { callProcedure, callsOf } from '#test/support/procedure-call.ts'
import { changeRows, readRow } from '#test/support/rows.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { listStored, localFile, partsOf } from '#test/support/stored-files.ts'
import { openTestSite, type TestMember } from '#test/support/test-site.ts'
import { complete, initialize, multipart, sendFile } from '#test/support/upload-client.ts'
import { PASSWORD } from '#test/support/world.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site, { hasPassword: true })
const { ann } = setUpMembers(site, ['ann'], { hasPassword: true })
const { bob } = setUpMembers(site, ['bob'])

const { ask, statusOf, call } = callsOf(site)
const logIn = (username: string, password: string) =>
  site.post('/api/login', { payload: { username, password } })
const channel = (id: number, as?: TestMember) => ask<User>(as, 'user.get', { id })
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

describe('the profile', () => {
  test('is changed field by field, and shown to everybody', async () => {
    const change = { displayName: ' Ann of Rust ', bio: 'I play.\r\nA lot.' }
    const own = await ask<OwnUser>(ann, 'settings.editProfile', change)
    expect(own).toMatchObject({ displayName: 'Ann of Rust', bio: 'I play.\nA lot.' })
    expect(own.email).toBe(`${ann.username}@example.org`)
    expect(await channel(ann.id)).toMatchObject({
      displayName: 'Ann of Rust',
      username: ann.username,
    })
    expect(await ask(ann, 'settings.editProfile', { bio: ' ' })).toMatchObject({ bio: null })
    expect(await ask(ann, 'settings.editProfile', {})).toMatchObject({ displayName: 'Ann of Rust' })
  })

  test('has the level of new videos, or leaves it to the site', async () => {
    const edit = (defaultVisibility: string | null) =>
      ask<OwnUser>(ann, 'settings.editProfile', { defaultVisibility })
    expect((await edit('members')).defaultVisibility).toBe('members')
    expect(await ask(ann, 'auth.currentUser')).toMatchObject({ defaultVisibility: 'members' })
    expect(await channel(ann.id, ann)).not.toHaveProperty('defaultVisibility')
    expect((await edit(null)).defaultVisibility).toBeNull()
    expect(await statusOf(ann, 'settings.editProfile', { defaultVisibility: 'friends' })).toBe(400)
  })

  test('keeps the email to its owner unless they show it', async () => {
    for (const as of [undefined, bob, admin, ann]) {
      expect(await channel(ann.id, as)).not.toHaveProperty('email')
    }
    await ask(ann, 'settings.editProfile', { showEmail: true, email: `new${ann.id}@example.org` })
    expect(await channel(ann.id)).toMatchObject({ email: `new${ann.id}@example.org` })
  })

  test('does not take another’s email, whatever its case', async () => {
    const email = `${bob.username.toUpperCase()}@example.org`
    expect(await statusOf(ann, 'settings.editProfile', { email })).toBe(409)
  })

  test('does not tell who has an account by trying emails', async () => {
    const slow = await openTestSite({ rateLimitScale: 1 })
    const guest = await slow.addMember('guest')
    await slow.addMember('bob')
    slow.deps.limits.writes.count = async () => {}
    const edit = (input: object) =>
      callProcedure(slow, { as: guest, name: 'settings.editProfile', input })
    for (let time = 0; time < 20; time++) {
      expect((await edit({ email: 'bob@example.org' })).statusCode).toBe(409)
    }
    for (const email of ['bob@example.org', 'free@example.org']) {
      expect((await edit({ email })).statusCode).toBe(429)
    }
    expect((await edit({ bio: 'Hello' })).statusCode).toBe(200)
    await slow.close()
  })
})

describe('the pictures', () => {
  const send = (kind: string, picture: Buffer) =>
    site.post(`/api/settings/${kind}`, { as: ann, ...multipart({ picture }) })
  const filesOf = (url: string) => listStored(site, partsOf(url)[0])

  test('are decoded, cut down and rewritten, and the old file goes', async () => {
    const png = Buffer.concat([makePng(800, 700), Buffer.from('GPS 52.5 13.4')])
    const { url } = (await send('avatar', png)).json()
    expect(url).toMatch(/^\/media\/[0-9a-f]{32}\/avatar-[0-9a-f]{12}\.jpg$/)
    expect((await channel(ann.id)).avatarUrl).toBe(url)
    const bytes = await site.get(url)
    expect(bytes.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': expect.stringContaining('public'),
    })
    expect(bytes.rawPayload.subarray(0, 2).toString('hex')).toBe('ffd8')
    expect(bytes.rawPayload.includes('GPS')).toBe(false)
    const still = await readStill(await localFile(site, ...partsOf(url)))
    expect(still).toMatchObject({ width: 320, height: 280 })

    const next = (await send('avatar', makePng(64, 64))).json().url
    expect((await site.get(url)).statusCode).toBe(404)
    expect([await filesOf(url), await filesOf(next)]).toEqual([[], [partsOf(next)[1]]])
    await ask(ann, 'settings.removePicture', { kind: 'avatar' })
    expect((await channel(ann.id)).avatarUrl).toBeNull()
    expect(await filesOf(next)).toEqual([])
  })

  test('are refused with 415, 422 or 413, and the old one stays', async () => {
    const { url } = (await send('banner', makePng(64, 36))).json()
    expectSentence(await send('banner', Buffer.from('<svg/>')), { status: 415, naming: 'banner' })
    expectSentence(await send('banner', Buffer.from('GIF89a...')), { status: 415, naming: 'PNG' })
    expectSentence(await send('banner', makePng(64, 36).subarray(0, 60)), { status: 422 })
    expectSentence(await send('banner', makePng(8000, 5001)), { status: 422, naming: 'megapixels' })
    expectSentence(await send('banner', Buffer.alloc(2_097_153, 1)), { status: 413 })
    expectSentence(await send('banner', Buffer.alloc(0)), { status: 400, naming: 'picture' })
    expect((await channel(ann.id)).bannerUrl).toBe(url)
  })
})

describe('the password', () => {
  test('is changed with the current one, and every other session ends', async () => {
    const elsewhere = (await logIn(ann.username, PASSWORD)).cookies[0]?.value
    const input = { currentPassword: PASSWORD, newPassword: 'battery staple' }
    const wrong = { ...input, currentPassword: 'not this one' }
    expect(await statusOf(ann, 'settings.changePassword', wrong)).toBe(403)
    expect(await statusOf(ann, 'settings.changePassword', { ...input, newPassword: 'short' })).toBe(
      400,
    )
    const changed = await call(ann, 'settings.changePassword', input)
    expect(changed.statusCode).toBe(200)
    const own = { ...ann, cookie: `clutch=${changed.cookies[0]?.value}` }
    const headers = { cookie: `clutch=${elsewhere}` }
    const status = async (options: object) => (await site.get('/api/user', options)).statusCode
    expect([await status({ headers }), await status({ as: own })]).toEqual([401, 200])
    expect((await logIn(ann.username, PASSWORD)).statusCode).toBe(401)
    expect((await logIn(ann.username, 'battery staple')).statusCode).toBe(200)
  })
})

describe('the sessions', () => {
  test('are listed without their secrets, and ended one by one', async () => {
    const headers = { 'user-agent': 'Firefox on a phone' }
    const payload = { username: ann.username, password: PASSWORD }
    const phone = await site.post('/api/login', { payload, headers })
    const cookie = `clutch=${phone.cookies[0]?.value}`
    type Session = { id: string; userAgent: string | null; isCurrent: boolean }
    const sessions = await ask<Session[]>(ann, 'settings.sessions')
    expect(sessions).toHaveLength(2)
    const other = sessions.find((session) => !session.isCurrent)
    expect(other).toMatchObject({
      userAgent: 'Firefox on a phone',
      id: expect.stringMatching(/^\w{16}$/),
    })
    expect(JSON.stringify(sessions)).not.toContain(phone.cookies[0]?.value)
    expect(await statusOf(bob, 'settings.endSession', { id: other?.id })).toBe(404)
    expect(await statusOf(ann, 'settings.endSession', { id: '%'.repeat(16) })).toBe(400)
    await ask(ann, 'settings.endSession', { id: other?.id })
    expect(await statusOf(ann, 'settings.endSession', { id: other?.id })).toBe(404)
    const user = await site.get('/api/user', { headers: { cookie } })
    expect(user.statusCode).toBe(401)
  })

  test('renew themselves in their second half, and end after thirty days', async () => {
    const day = 86_400
    const move = (seconds: number) =>
      changeRows(site.db, 'sessions', {
        where: { userId: ann.id },
        values: { expiresAt: Math.floor(Date.now() / 1000) + seconds, rememberMe: 1 },
      })
    const user = () => site.get('/api/user', { as: ann })
    await move(16 * day)
    expect((await user()).cookies).toEqual([])
    await move(14 * day)
    expect((await user()).cookies).toMatchObject([{ name: 'clutch' }])
    const { expiresAt } = await readRow(site.db, 'sessions', { userId: ann.id })
    expect(expiresAt).toBeGreaterThan(Date.now() / 1000 + 29 * day)
    await move(-1)
    expect((await user()).statusCode).toBe(401)
  })
})

describe('deleting one’s account', () => {
  test('takes videos, files and counts along, and leaves comments on others’ videos', async () => {
    const path = join(site.dataFolder, 'clip.mp4')
    await makeClip({ path, seconds: 1 })
    const { videoId } = (
      await complete({ site, as: ann }, { uploadId: await sendFile({ site, as: ann }, { path }) })
    ).json()
    const { uploadId } = (await initialize({ site, as: ann }, { size: 5 })).json()
    const { url } = (
      await site.post('/api/settings/avatar', { as: ann, ...multipart({ picture: makePng(9, 9) }) })
    ).json()
    const video = await ask<Video>(undefined, 'video.get', { id: videoId })
    const keys = [video.videoUrl, url].map((address) => partsOf(address ?? '')[0])
    const uploadFolder = site.disk.uploadFolder(uploadId)
    for (const key of keys) expect(await listStored(site, key)).not.toEqual([])
    expect(await isThere(uploadFolder)).toBe(true)

    const bobs = await site.addVideo(bob)
    await ask(ann, 'like.set', { videoId: bobs, isLike: true })
    await ask(ann, 'subscription.create', { channelId: bob.id })
    const said = await ask<Comment>(bob, 'comment.create', { videoId: bobs, content: 'Mine' })
    await ask(ann, 'like.set', { commentId: said.id, isLike: false })
    await ask(ann, 'comment.create', { videoId: bobs, content: 'I was here' })
    await ask(bob, 'comment.create', { videoId, content: 'On a video that goes' })
    await ask(bob, 'playlist.addToWatchLater', { videoId })

    const wrong = { password: 'not this one' }
    expect(await statusOf(ann, 'settings.deleteAccount', wrong)).toBe(403)
    await ask(ann, 'settings.deleteAccount', { password: PASSWORD })
    expect(await statusOf(undefined, 'user.get', { id: ann.id })).toBe(404)
    expect(await statusOf(bob, 'video.get', { id: videoId })).toBe(404)
    expect((await site.get('/api/user', { as: ann })).statusCode).toBe(401)
    expect((await logIn(ann.username, PASSWORD)).statusCode).toBe(401)
    for (const key of keys) expect(await listStored(site, key)).toEqual([])
    expect(await isThere(uploadFolder)).toBe(false)
    expect(await ask(bob, 'video.get', { id: bobs })).toMatchObject({
      likeCount: 0,
      dislikeCount: 0,
    })
    expect(await channel(bob.id)).toMatchObject({ subscriberCount: 0 })
    const { items } = await ask<{ items: Comment[] }>(bob, 'comment.list', { id: bobs })
    expect(
      items.map(({ content, user, dislikeCount }) => [content, user?.id, dislikeCount]),
    ).toEqual([
      ['I was here', undefined, 0],
      ['Mine', bob.id, 0],
    ])
    expect(await ask(bob, 'playlist.watchLater')).toMatchObject({ videos: [], videoCount: 0 })
  })

  test('is refused to the last admin', async () => {
    const answer = await call(admin, 'settings.deleteAccount', { password: PASSWORD })
    expect([answer.statusCode, answer.json().error.message]).toEqual([
      409,
      'You are the only admin. Make somebody else one first.',
    ])
    expect(await statusOf(admin, 'moderation.setAdmin', { userId: admin.id, isAdmin: false })).toBe(
      409,
    )
    await ask(admin, 'moderation.setAdmin', { userId: ann.id, isAdmin: true })
    expect(await statusOf(ann, 'settings.deleteAccount', { password: PASSWORD })).toBe(200)
  })
})
