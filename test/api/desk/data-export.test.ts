import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { makeDueExports, startDataExports } from '#server/desk/account-data/make-data-export.ts'
import { LEFT_OUT, SECTIONS } from '#server/desk/account-data/sections.queries.ts'
import { tidy } from '#server/janitor.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { openJar } from '#test/support/cookie-jar.ts'
import { describePostgres, describeSqlite } from '#test/support/described-schema.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRow, addRows, changeRows, listRows, readRow } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { storeFiles } from '#test/support/stored-files.ts'
import { readTarFiles } from '#test/support/tar.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

type Export = { state: string; bytes: number; fileCount: number; expiresAt: string }

const URL = '/api/settings/data/download'
const SECRET = 'words of somebody else'
const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask, refusal } = callsOf(site)
const read = (as: TestMember) => ask<Export | null>(as, 'settings.dataExport')
const download = (as: TestMember, headers: Record<string, string> = {}) =>
  site.get(URL, { as, headers })

let count = 0
let ann: TestMember
let ben: TestMember
const key = () => (++count).toString(16).padStart(32, '0')

const ORIGINAL = Buffer.alloc(100_000, 'an original ')
const BEST = Buffer.alloc(2000, 'best ')

async function addPeople() {
  const mark = ++count
  ann = await addMemberWithPassword(site, `ann-${mark}`)
  ben = await addMemberWithPassword(site, `ben-${mark}`)
}

/** Gives the member a video of each kind and a row of each kind of activity. */
async function fill() {
  const createdAt = timestamp()
  const { db } = site
  const [first, second, hidden] = [key(), key(), key()]
  await storeFiles(site, first, {
    source: ORIGINAL,
    'video-1.mp4': 'x',
    'poster-1.jpg': 'a poster',
  })
  await storeFiles(site, second, { 'video-2.mp4': BEST, 'captions-2.vtt': 'WEBVTT' })
  await storeFiles(site, hidden, { 'video-3.mp4': SECRET, 'clip-3.mp4': SECRET })
  const whole = await site.addVideo(ann, {
    mediaKey: first,
    title: 'The Last Shot: ÄÖ',
    description: `A description in "quotes", ${'long '.repeat(50)}`,
    videoUrl: `/media/${first}/video-1.mp4`,
    thumbnailUrl: `/media/${first}/poster-1.jpg`,
    tags: '["rust","clutch"]',
  })
  const bare = await site.addVideo(ann, {
    mediaKey: second,
    visibility: 'private',
    videoUrl: `/media/${second}/video-2.mp4`,
  })
  const theirs = await site.addVideo(ben, {
    mediaKey: hidden,
    title: 'Ben’s video',
    videoUrl: `/media/${hidden}/video-3.mp4`,
  })
  const secret = await site.addVideo(ben, { title: SECRET, visibility: 'private' })
  const caption = { videoId: bare, language: 'en', label: 'English', file: 'captions-2.vtt' }
  await addRows(db, 'captions', { ...caption, createdAt })
  const chapter = {
    videoId: whole,
    userId: null,
    source: 'chapter',
    atSeconds: 2,
    weight: 1,
  } as const
  await addRows(db, 'moments', { ...chapter, title: 'Round 2', createdAt })
  const mark = { videoId: theirs, userId: ann.id, source: 'mark', atSeconds: 4, weight: 1 } as const
  await addRows(db, 'moments', { ...mark, title: null, createdAt })
  await addRows(db, 'moments', {
    ...mark,
    videoId: whole,
    userId: ben.id,
    title: SECRET,
    createdAt,
  })
  const clip = { videoId: theirs, userId: ann.id, title: 'Wow', foldedTitle: 'wow' }
  const made = { startSeconds: 0, endSeconds: 2, createdAt, shareFile: 'clip-3.mp4' }
  await addRow(db, 'clips', { ...clip, ...made })
  const own = { videoId: theirs, userId: ann.id, content: 'What a shot', createdAt }
  const parentId = await addRow(db, 'comments', own)
  await addRow(db, 'comments', {
    videoId: whole,
    userId: ben.id,
    content: SECRET,
    parentId,
    createdAt,
  })
  await addRow(db, 'posts', { channelId: ann.id, content: 'My post', createdAt })
  for (const videoId of [theirs, secret]) {
    await addRow(db, 'likes', { userId: ann.id, videoId, isLike: 1, createdAt })
    await addRows(db, 'history', {
      userId: ann.id,
      videoId,
      positionSeconds: 3,
      watchedAt: createdAt,
    })
  }
  const reaction = { videoId: theirs, userId: ann.id, kind: 'fire' } as const
  for (const at of [1, 2, 3]) await addRows(db, 'videoReactions', { ...reaction, second: at })
  await ask(ann, 'subscription.create', { channelId: ben.id })
  await ask(ann, 'playlist.create', { title: 'Best of', visibility: 'private' })
  const report = { kind: 'video', videoId: theirs, subject: SECRET, accusedId: ben.id } as const
  await addRow(db, 'reports', {
    ...report,
    ...{ reporterId: ann.id, reason: 'Spam', state: 'open', createdAt },
  })
  return { whole, bare, theirs, secret, first, second, hidden }
}

/** Prepares the archive, downloads it and returns its contents. */
async function make(as: TestMember) {
  await ask(as, 'settings.askForData')
  await makeDueExports(site.deps)
  const answer = await download(as)
  expect(answer.statusCode).toBe(200)
  const files = readTarFiles(answer.rawPayload)
  const json = files.get('clutch-data/account.json')
  return { answer, files, account: JSON.parse(`${json}`) }
}

const hashOf = (bytes: Buffer | undefined) =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex')

describe('what the site knows about a member', () => {
  beforeEach(addPeople)

  test('is what the rows and files have, and nothing of anybody else', async () => {
    const { whole, bare, theirs, secret } = await fill()
    const { files, account, answer } = await make(ann)
    expect(account.profile).toMatchObject({
      username: ann.username,
      email: `${ann.username}@example.org`,
      isAdmin: false,
    })
    expect(account.videos).toMatchObject([
      {
        id: whole,
        title: 'The Last Shot: ÄÖ',
        tags: ['rust', 'clutch'],
        chapters: [{ title: 'Round 2', atSeconds: 2 }],
        files: [
          `videos/${whole}-the-last-shot-ao/original`,
          `videos/${whole}-the-last-shot-ao/picture.jpg`,
        ],
      },
      {
        id: bare,
        captions: [{ label: 'English' }],
        files: [`videos/${bare}-a-video/video.mp4`, `videos/${bare}-a-video/captions-1.vtt`],
      },
    ])
    expect(account.clips).toMatchObject([{ title: 'Wow', videoTitle: 'Ben’s video' }])
    expect(account.comments).toMatchObject([{ content: 'What a shot', videoTitle: 'Ben’s video' }])
    expect(account.posts).toMatchObject([{ content: 'My post' }])
    expect(account.moments).toMatchObject([{ videoId: theirs, source: 'mark' }])
    expect(account.likes).toMatchObject([{ videoId: theirs, isLike: true }, { videoId: secret }])
    expect(account.history).toHaveLength(2)
    expect(account.reactions).toHaveLength(3)
    expect(account.subscriptions).toMatchObject([{ channelId: ben.id, channel: ben.username }])
    expect(account.playlists).toMatchObject([{ title: 'Best of' }])
    expect(account.reports).toMatchObject([{ reason: 'Spam' }])
    expect(account.sessions.length).toBeGreaterThan(0)
    const text = JSON.stringify(account)
    for (const hidden of [SECRET, `${ben.username}@example.org`, ann.cookie.slice(7)]) {
      expect(text).not.toContain(hidden)
    }
    const { password } = await readRow(site.db, 'users', { id: ann.id })
    expect(text).not.toContain(password)

    const original = files.get(`clutch-data/videos/${whole}-the-last-shot-ao/original`)
    expect(hashOf(original)).toBe(hashOf(ORIGINAL))
    expect(hashOf(files.get(`clutch-data/videos/${bare}-a-video/video.mp4`))).toBe(hashOf(BEST))
    expect(files.get(`clutch-data/videos/${bare}-a-video/captions-1.vtt`)?.toString()).toBe(
      'WEBVTT',
    )
    const listed = [...account.profile.files, ...account.videos, ...account.clips].flatMap((row) =>
      typeof row === 'string' ? row : row.files,
    )
    const names = [...files.keys()].map((name) => name.replace('clutch-data/', ''))
    expect(names).toEqual(['account.json', ...listed])
    expect(answer.headers['content-length']).toBe(`${answer.rawPayload.length}`)
    const state = await read(ann)
    expect(state).toMatchObject({ state: 'done', bytes: answer.rawPayload.length, fileCount: 5 })
    const { items } = await ask<{ items: { title: string }[] }>(ann, 'notification.list', {})
    expect(items.map(({ title }) => title)).toContain('Your data is ready')
  })

  test('has each way to sign in and what is told by email, without a secret', async () => {
    const { db } = site
    const at = timestamp()
    const userId = ann.id
    const provider = { source: 'desk', kind: 'oidc', name: 'Club', issuer: 'https://id.example' }
    const providerId = await addRow(db, 'identityProviders', {
      ...(provider as { source: 'desk'; kind: 'oidc'; name: string; issuer: string }),
      ...{ clientId: 'clutch', clientSecret: SECRET, createdAt: at },
    })
    await addRow(db, 'identities', {
      ...{ providerId, subject: 'ann-there', userId, name: 'Ann', refreshToken: SECRET },
      ...{ grants: '["admin"]', createdAt: at, lastUsedAt: at, checkedAt: at },
    })
    await changeRows(db, 'sessions', {
      where: { userId },
      values: { method: 'provider', providerId },
    })
    await addRow(db, 'passkeys', {
      ...{ userId, credentialId: SECRET, userHandle: SECRET, publicKey: SECRET, counter: 0 },
      ...{ transports: '[]', name: 'Phone', isBackedUp: 1 as const, createdAt: at },
    })
    await addRows(db, 'timeCodes', { userId, secret: SECRET, lastStep: 1, createdAt: at })
    await addRows(db, 'recoveryCodes', { userId, codeHash: SECRET, createdAt: at })
    await addRows(db, 'secondFactorNotices', { userId, requiredFrom: at })
    const address = 'ann@new.example'
    const expiresAt = timestamp(new Date(Date.now() + 60_000))
    await addRows(db, 'emailVerifications', { tokenHash: SECRET, userId, address, expiresAt })
    await addRows(db, 'passwordResets', {
      ...{ tokenHash: SECRET, userId, createdAt: at, expiresAt, mailedTo: address },
    })
    await addRow(db, 'mails', {
      ...{ kind: 'verify-email', userId, data: JSON.stringify({ address }) },
      ...{ createdAt: at, nextAt: expiresAt },
    })
    await addRows(db, 'digests', { userId, every: 'week', nextAt: expiresAt, lastId: 0 })
    const squad = await ask<{ id: number }>(ben, 'squad.create', {
      ...{
        name: 'Club',
        tag: `c${++count}`,
        emblem: 'flame',
        colour: 'violet',
        description: '',
        joining: 'open',
      },
    })
    await addRows(db, 'squadRemovals', { squadId: squad.id, userId, removedAt: at })
    const video = await site.addVideo(ann)
    const clip = { videoId: video, userId, title: 'Wow', foldedTitle: 'wow', createdAt: at }
    const clipId = await addRow(db, 'clips', { ...clip, startSeconds: 0, endSeconds: 2 })
    await addRow(db, 'posts', { channelId: userId, content: '', clipId, createdAt: at })

    const { account } = await make(ann)
    expect(account).toMatchObject({
      profile: { emailVerifiedAt: null, passkeyAfterPassword: false, isTrustedUploader: false },
      sessions: [{ method: 'provider', provider: 'Club' }],
      linkedAccounts: [
        { provider: 'Club', subject: 'ann-there', name: 'Ann', grants: ['admin'], createdAt: at },
      ],
      passkeys: [{ name: 'Phone', isBackedUp: true, createdAt: at, lastUsedAt: null }],
      authenticatorApp: [{ createdAt: at }],
      recoveryCodes: [{ createdAt: at }],
      secondFactorNotices: [{ requiredFrom: at }],
      passwordResets: [{ mailedTo: address }],
      emailVerifications: [{ address, expiresAt }],
      unsentEmail: [{ kind: 'verify-email', data: { address } }],
      emailSummary: [{ every: 'week' }],
      squadRemovals: [{ squadId: squad.id, removedAt: at }],
      posts: [{ clipId }],
    })
    expect(JSON.stringify(account)).not.toContain(SECRET)
  })

  test('comes in ranges that fit together', async () => {
    await fill()
    const { answer } = await make(ann)
    const whole = answer.rawPayload
    const etag = `${answer.headers.etag}`
    const cuts = [0, 1, 511, 512, 513, 2000, whole.length - 1025, whole.length - 1, whole.length]
    const pieces: Buffer[] = []
    for (const [at, start] of cuts.slice(0, -1).entries()) {
      const range = `bytes=${start}-${(cuts[at + 1] ?? 0) - 1}`
      const part = await download(ann, { range, 'if-range': etag })
      expect(part.statusCode).toBe(206)
      pieces.push(part.rawPayload)
    }
    expect(hashOf(Buffer.concat(pieces))).toBe(hashOf(whole))
    const outside = await download(ann, { range: `bytes=${whole.length}-` })
    expect(outside.statusCode).toBe(416)
    const head = await site.call({ as: ann, method: 'HEAD', url: URL })
    expect(head.headers['content-length']).toBe(`${whole.length}`)
    const other = await download(ann, { range: 'bytes=5-9', 'if-range': '"another"' })
    expect(other.statusCode).toBe(200)
  })

  test('goes to nobody else, and to the member only after the password', async () => {
    await fill()
    await make(ann)
    const admin = await addMemberWithPassword(site, `admin-${++count}`, { isAdmin: true })
    expect((await site.get(URL)).statusCode).toBe(401)
    for (const other of [ben, admin]) expect((await download(other)).statusCode).toBe(404)
    await site.db
      .updateTable('sessions')
      .set({ confirmedAt: null })
      .where('userId', '=', ann.id)
      .execute()
    expect((await download(ann)).statusCode).toBe(403)
    expect(await refusal(ann, 'settings.askForData')).toBe(
      '403 Please confirm your password first.',
    )
    const browser = openJar(site, ann.cookie)
    await browser.ask('settings.confirmPassword', { password: PASSWORD })
    expect((await browser.get(URL)).statusCode).toBe(200)
    const { token } = await browser.ask<{ token: string }>('apiToken.create', {
      ...{ name: 'script', scope: 'read', days: 1 },
    })
    const asScript = await site.get(URL, { headers: { authorization: `Bearer ${token}` } })
    expect(asScript.statusCode).toBe(403)
  })

  test('is refused with a sentence once a video in it is gone or private', async () => {
    const { theirs, whole, first } = await fill()
    await make(ann)
    const gone =
      'Some of your videos or pictures changed after this was prepared. Prepare it again.'
    const change = (id: number, visibility: 'private' | 'public') =>
      site.db.updateTable('videos').set({ visibility }).where('id', '=', id).execute()
    await change(theirs, 'private')
    expect(await refusal(ann, 'settings.prepareDownload')).toBe(`410 ${gone}`)
    expect((await download(ann, { range: 'bytes=9000-9100' })).statusCode).toBe(410)
    await change(theirs, 'public')
    expect((await download(ann)).statusCode).toBe(200)
    await storeFiles(site, first, { source: 'another' })
    expect((await download(ann)).body).toBe(gone)
    await ask(ann, 'video.delete', { id: whole })
    expect((await download(ann, { range: 'bytes=9000-9100' })).statusCode).toBe(410)
  })

  test('is prepared once at a time, and kept for a week', async () => {
    await ask(ann, 'settings.askForData')
    const again = '409 Your download is being prepared already.'
    expect(await refusal(ann, 'settings.askForData')).toBe(again)
    expect((await download(ann)).statusCode).toBe(404)
    await makeDueExports(site.deps)
    expect((await download(ann)).statusCode).toBe(200)
    const expiresAt = timestamp(new Date(Date.now() - 1))
    await site.db.updateTable('dataExports').set({ expiresAt }).execute()
    expect(await read(ann)).toBeNull()
    expect((await download(ann)).statusCode).toBe(404)
    await tidy({ ...site.deps, log: site.log }, new Set())
    for (const table of ['dataExports', 'dataExportParts', 'dataExportFiles'] as const) {
      expect(await site.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })

  test('is not prepared on a disk without room', async () => {
    const { freeBytes } = site.disk
    onTestFinished(() => void Object.assign(site.disk, { freeBytes }))
    site.disk.freeBytes = async () => 1_000_000
    const sentence = 'The server has too little room on its disk for this.'
    const { statusCode, body } = await callsOf(site).call(ann, 'settings.askForData')
    expect(statusCode).toBe(507)
    expect(body).toContain(sentence)
  })

  test('is begun anew after a crash, and fails with a sentence after several', async () => {
    await fill()
    await ask(ann, 'settings.askForData')
    const closing = new AbortController()
    const list = site.media.list
    const media = {
      ...site.media,
      list: (prefix: string) => {
        closing.abort()
        return list(prefix)
      },
    }
    await makeDueExports({ ...site.deps, media, closing: closing.signal })
    expect(await read(ann)).toMatchObject({ state: 'running' })
    await makeDueExports(site.deps)
    expect(await read(ann)).toMatchObject({ state: 'done' })
    const { account } = await make(ann)
    expect(account.videos.length).toBeGreaterThan(0)

    await ask(ann, 'settings.askForData')
    await site.db.updateTable('dataExports').set({ attempt: 5, state: 'running' }).execute()
    await expect(makeDueExports(site.deps)).rejects.toThrow()
    const error = 'Your download could not be prepared. Please try again later.'
    expect(await read(ann)).toMatchObject({ state: 'failed', error })
    expect((await readRow(site.db, 'dataExports', { userId: ann.id })).bytes).toBe(0)
  })

  test('waits for a store that is away', async () => {
    await fill()
    await ask(ann, 'settings.askForData')
    const list = async function* () {
      const { StoreError } = await import('#server/platform/files/media-store.ts')
      yield* []
      throw new StoreError('away', 'It is away.')
    }
    await expect(makeDueExports({ ...site.deps, media: { ...site.media, list } })).rejects.toThrow()
    expect(await read(ann)).toMatchObject({ state: 'queued' })
    await makeDueExports(site.deps)
    expect(await read(ann)).toMatchObject({ state: 'queued' })
    await site.db.updateTable('dataExports').set({ runAfter: timestamp() }).execute()
    const stop = startDataExports({ ...site.deps, log: site.log })
    await until(async () => (await read(ann))?.state === 'done')
    await stop()
  })

  test('is deleted with the account', async () => {
    await fill()
    await make(ann)
    await ask(ann, 'settings.deleteAccount', { password: PASSWORD })
    expect(await listRows(site.db, 'dataExports', { userId: ann.id })).toEqual([])
    const exports = (await listRows(site.db, 'dataExports')).map(({ id }) => id)
    const parts = await listRows(site.db, 'dataExportParts')
    expect(parts.filter(({ exportId }) => !exports.includes(exportId))).toEqual([])
  })

  test('an admin gets only what a member gets', async () => {
    const admin = await addMemberWithPassword(site, `admin-${++count}`, { isAdmin: true })
    const { secret } = await fill()
    const createdAt = timestamp()
    await addRow(site.db, 'likes', { userId: admin.id, videoId: secret, isLike: 1, createdAt })
    await ask(admin, 'moderation.warn', { userId: ben.id, reason: 'Be nice' })
    const { account } = await make(admin)
    expect(JSON.stringify(account)).not.toContain(SECRET)
    expect(JSON.stringify(account)).not.toContain(ben.username)
    expect(account.auditLog).toContainEqual(
      expect.objectContaining({ action: 'member.warn', isOwnAct: true, targetName: null }),
    )
  })
})

test('every table with a column for a member is in the archive, or left out for a reason', async () => {
  const named = new Set(SECTIONS.flatMap(({ tables }) => tables))
  const elsewhere = ['users', 'videos', 'clips']
  const known = [...named, ...Object.keys(LEFT_OUT), ...elsewhere]
  expect((await listMemberTables()).filter((table) => !known.includes(table))).toEqual([])
})

async function listMemberTables(): Promise<string[]> {
  const isPostgres = process.env.TEST_DATABASE === 'postgres'
  const lines = await (isPostgres ? describePostgres(site.db) : describeSqlite(site.db))
  const named = lines.flatMap((line) => /^(\w+): \w+ to users\.id /.exec(line)?.[1] ?? [])
  expect(named.length).toBeGreaterThan(20)
  return [...new Set(named)]
}
