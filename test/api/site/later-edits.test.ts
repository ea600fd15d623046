import { beforeAll, describe, expect, test } from 'vitest'
import { answerOf, callsOf, expectRefused } from '#test/support/procedure-call.ts'
import { addRow } from '#test/support/rows.ts'
import { setUpAdmin, setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { owner } = setUpFileMembers(site, ['owner'])
const admin = setUpAdmin(site)
const members: TestMember[] = []

beforeAll(async () => {
  for (const name of ['ann', 'bob', 'cid']) members.push(await site.addMember(name))
})

type Values = Record<string, unknown>
type Case = {
  procedure: string
  as: () => TestMember
  /** Makes what is edited. @returns what each call names it by, and how its fields are read */
  open: () => Promise<{ key: Values; read: () => Promise<Values> }>
  /** A field as two editors change it. */
  field: string
  mine: unknown
  theirs: unknown
  /** Another field, with the value that it gets; nouns with one field have none. */
  other?: [field: string, value: unknown]
}

const ask = <Output = Values>(as: TestMember, name: string, input?: object) =>
  answerOf<Output>(site, { as, name, input })
const { call: change } = callsOf(site)

const openVideo = async () => {
  const id = await site.addVideo(owner, { title: 'First', duration: 60, videoFileExists: 1 })
  return { key: { id }, read: () => ask(owner, 'video.get', { id }) }
}
const openClip = async () => {
  const videoId = await site.addVideo(owner, { duration: 60, videoFileExists: 1 })
  const range = { startSeconds: 5, endSeconds: 15 }
  const { id } = await ask(owner, 'clip.create', { videoId, title: 'First', ...range })
  return { key: { id }, read: () => ask(owner, 'clip.byId', { id }) }
}
const openCaptions = async () => {
  const videoId = await site.addVideo(owner)
  const track = { videoId, language: 'en', label: 'First', file: 'captions-1.vtt' }
  const createdAt = new Date().toISOString()
  const id = await addRow(site.db, 'captions', { ...track, createdAt })
  const read = async () => {
    const { captions } = await ask<{ captions: Values[] }>(owner, 'video.playback', { id: videoId })
    return captions[0] ?? {}
  }
  return { key: { id }, read }
}
const openComment = async () => {
  const videoId = await site.addVideo(owner)
  const { id } = await ask(owner, 'comment.create', { videoId, content: 'First' })
  const read = async () =>
    (await ask<{ items: Values[] }>(owner, 'comment.list', { id: videoId })).items[0] ?? {}
  return { key: { id }, read }
}

const openSettings = async () => {
  await ask(admin, 'site.edit', { heldWords: [], maxVideoBytes: null, name: 'Clutch', tagline: '' })
  return { key: {}, read: () => ask(admin, 'site.adminSettings') }
}

const REASON = { reason: 'It says something else.' }
const CASES: Case[] = [
  {
    ...{ procedure: 'video.edit', as: () => owner, open: openVideo },
    ...{ field: 'title', mine: 'Mine', theirs: 'Theirs' },
    other: ['description', 'More'],
  },
  {
    ...{ procedure: 'video.edit', as: () => owner, open: openVideo },
    ...{ field: 'tags', mine: ['mine'], theirs: ['theirs', 'too'] },
    other: ['isAnonymous', true],
  },
  {
    ...{ procedure: 'video.edit', as: () => owner, open: openVideo, field: 'expiry' },
    mine: { at: '2999-01-01T00:00:00.000Z', action: 'private' },
    theirs: { at: '2999-02-02T00:00:00.000Z', action: 'delete' },
    other: ['visibility', 'unlisted'],
  },
  {
    procedure: 'moderation.editVideo',
    as: () => admin,
    open: async () => {
      const { key, read } = await openVideo()
      return { key: { ...key, ...REASON }, read }
    },
    ...{ field: 'tags', mine: ['mine'], theirs: ['theirs'] },
    other: ['title', 'Another'],
  },
  {
    procedure: 'moderation.editChannel',
    as: () => admin,
    open: async () => {
      const { id } = await site.addMember(`channel-${crypto.randomUUID().slice(0, 8)}`)
      return { key: { userId: id, ...REASON }, read: () => ask(admin, 'user.get', { id }) }
    },
    ...{ field: 'bio', mine: 'Mine', theirs: 'Theirs' },
    other: ['displayName', 'Another'],
  },
  {
    procedure: 'settings.editProfile',
    as: () => owner,
    open: async () => {
      await ask(owner, 'settings.editProfile', { displayName: 'Owner', bio: '' })
      return { key: {}, read: () => ask(owner, 'auth.currentUser') }
    },
    ...{ field: 'bio', mine: 'Mine', theirs: 'Theirs' },
    other: ['displayName', 'Another'],
  },
  {
    ...{ procedure: 'clip.update', as: () => owner, open: openClip },
    ...{ field: 'title', mine: 'Mine', theirs: 'Theirs' },
    other: ['endSeconds', 20],
  },
  {
    ...{ procedure: 'clip.update', as: () => owner, open: openClip },
    ...{ field: 'startSeconds', mine: 6, theirs: 7 },
    other: ['endSeconds', 20],
  },
  {
    procedure: 'playlist.edit',
    as: () => owner,
    open: async () => {
      const { id } = await ask(owner, 'playlist.create', { title: 'First' })
      return { key: { id }, read: () => ask(owner, 'playlist.get', { id }) }
    },
    ...{ field: 'title', mine: 'Mine', theirs: 'Theirs' },
    other: ['visibility', 'public'],
  },
  {
    procedure: 'post.edit',
    as: () => owner,
    open: async () => {
      const { id } = await ask(owner, 'post.create', { content: 'First' })
      const read = async () =>
        (await ask<{ items: Values[] }>(owner, 'post.list', { id: owner.id })).items[0] ?? {}
      return { key: { id }, read }
    },
    ...{ field: 'content', mine: 'Mine', theirs: 'Theirs' },
  },
  {
    ...{ procedure: 'comment.edit', as: () => owner, open: openComment },
    ...{ field: 'content', mine: 'Mine', theirs: 'Theirs' },
  },
  {
    ...{ procedure: 'caption.edit', as: () => owner, open: openCaptions },
    ...{ field: 'label', mine: 'Mine', theirs: 'Theirs' },
    other: ['language', 'de'],
  },
  {
    procedure: 'site.edit',
    as: () => admin,
    open: openSettings,
    ...{ field: 'heldWords', mine: ['mine'], theirs: ['theirs'] },
    other: ['name', 'Another'],
  },
  {
    procedure: 'site.edit',
    as: () => admin,
    open: openSettings,
    ...{ field: 'maxVideoBytes', mine: 4_000_000, theirs: 5_000_000 },
    other: ['tagline', 'Another'],
  },
  {
    procedure: 'member.setQuota',
    as: () => admin,
    open: async () => {
      const userId = owner.id
      await ask(admin, 'member.setQuota', { userId, quotaBytes: null })
      const read = async () => {
        const { items } = await ask<{ items: Values[] }>(admin, 'member.list', { q: 'owner' })
        return items[0] ?? {}
      }
      return { key: { userId }, read }
    },
    ...{ field: 'quotaBytes', mine: 1000, theirs: 2000 },
  },
]

describe.each(CASES)('$procedure of $field', (edit) => {
  const { procedure, field, mine, theirs, other } = edit
  const save = (input: object) => change(edit.as(), procedure, input)

  test('leaves what somebody else changed in another field', async () => {
    if (!other) return
    const [name, value] = other
    const { key, read } = await edit.open()
    const before = await read()
    await save({ ...key, [field]: theirs, was: { [field]: before[field] } })
    const answer = await save({ ...key, [name]: value, was: { [name]: before[name] } })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(await read()).toMatchObject({ [field]: theirs, [name]: value })
  })

  test('is refused with both values where somebody else changed it, and writes nothing', async () => {
    const { key, read } = await edit.open()
    const before = await read()
    const was = { [field]: before[field], ...(other && { [other[0]]: before[other[0]] }) }
    await save({ ...key, [field]: theirs, was })
    const now = await read()
    const rest = other && { [other[0]]: other[1] }
    const answer = await save({ ...key, ...rest, [field]: mine, was })
    expectRefused(answer, 409, `Changed by somebody else meanwhile: ${field}. Nothing was saved.`)
    expect(answer.json().error.data.conflicts).toEqual([{ field, mine, theirs }])
    expect(await read()).toEqual(now)

    // Whoever has seen the other value may overwrite it.
    const again = await save({ ...key, ...rest, [field]: mine, was: { ...was, [field]: theirs } })
    expect(again.statusCode, again.body).toBe(200)
    expect(await read()).toMatchObject({ ...rest, [field]: mine })
  })

  test('that comes to the same, or does not say what it read, is taken', async () => {
    const { key, read } = await edit.open()
    const before = await read()
    await save({ ...key, [field]: theirs })
    const isSame = await save({ ...key, [field]: theirs, was: { [field]: before[field] } })
    // Admins are told that there was nothing left to do.
    const isIdle = isSame.json().error?.message === 'There is nothing to change.'
    expect(isIdle || isSame.statusCode === 200, isSame.body).toBe(true)
    expect((await save({ ...key, [field]: mine })).statusCode).toBe(200)
    expect((await read())[field]).toEqual(mine)
  })
})

describe.each(['video', 'playlist'])('who may see a private %s', (noun) => {
  const names = async (id: unknown) =>
    (await ask<{ username: string }[]>(owner, `${noun}.namedMembers`, { id })).map(
      ({ username }) => username,
    )

  test('is merged: each editor adds and removes what they did', async () => {
    const id =
      noun === 'video'
        ? await site.addVideo(owner, { visibility: 'private' })
        : (await ask(owner, 'playlist.create', { title: 'Named' })).id
    const set = (usernames: string[], was?: string[]) =>
      ask(owner, `${noun}.setNamedMembers`, { id, usernames, ...(was && { was }) })
    await set(['ann'])
    await set(['ann', 'bob'], ['ann'])
    await set(['cid'], ['ann'])
    expect(await names(id)).toEqual(['bob', 'cid'])
    await set(['ann'])
    expect(await names(id)).toEqual(['ann'])
  })
})

test('a stranger who says what a field was learns nothing of what it is', async () => {
  const id = await site.addVideo(owner, { title: 'Secret', visibility: 'private' })
  const [stranger] = members
  const input = { id, title: 'Mine', was: { title: 'Guess' } }
  const answer = await change(stranger as TestMember, 'video.edit', input)
  expect(answer.statusCode).toBe(404)
  expect(answer.body).not.toContain('Secret')
})

test('the documented call takes `was` too, and answers a conflict with one sentence', async () => {
  const id = await site.addVideo(owner, { title: 'First' })
  const patch = (payload: object) => site.patch(`/api/videos/${id}`, { as: owner, payload })
  expect((await patch({ title: 'Second' })).statusCode).toBe(200)
  const answer = await patch({ title: 'Third', was: { title: 'First' } })
  expect([answer.statusCode, answer.body]).toEqual([
    409,
    'Changed by somebody else meanwhile: title. Nothing was saved.',
  ])
  expect((await patch({ title: 'Third' })).json()).toMatchObject({ title: 'Third' })
})
