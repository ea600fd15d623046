import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { indexIsWhole, rebuildSearchIndex } from '#server/discovery/search/index-health.queries.ts'
import { createSearcher } from '#server/discovery/search/searcher.ts'
import type { NewVideoRow } from '#server/platform/db/tables/video.ts'
import type { Audience } from '#shared/schemas/desk/site.schemas.ts'
import { VISIBILITIES, type Visibility } from '#shared/schemas/visibility.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { changeRows } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { isOnPostgres, openSiteDatabaseToRead } from '#test/support/site-database.ts'
import type { TestMember } from '#test/support/test-site.ts'

/** In the title, a tag, the description and the channel's name of a video of each level. */
const PLANTED = {
  public: 'pterodactyl',
  members: 'megalodon',
  unlisted: 'unicorn',
  private: 'phoenix',
} as const

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask } = callsOf(site)
let owners: Record<Visibility, TestMember>
let ids: Record<Visibility, number>
/** Each role, with the levels that a search by it finds. */
let roles: [name: string, as: TestMember | undefined, found: Visibility[]][]
beforeAll(async () => {
  const admin = await site.addMember('admin', { isAdmin: true })
  const mia = await site.addMember('mia')
  owners = {} as typeof owners
  ids = {} as typeof ids
  for (const visibility of VISIBILITIES) {
    const word = PLANTED[visibility]
    owners[visibility] = await site.addMember(`${word}channel`)
    ids[visibility] = await site.addVideo(owners[visibility], {
      title: `Zorp ${word}`,
      tags: JSON.stringify([`${word}tag`, 'shared']),
      description: `Blarg ${word}text`,
      visibility,
    })
  }
  const named = { videoId: ids.private, userId: mia.id }
  await site.db.insertInto('videoMembers').values(named).execute()
  roles = [
    ['visitor', undefined, ['public']],
    ['member', await site.addMember('ben'), ['public', 'members']],
    ['named member', mia, ['public', 'members']],
    ['admin', admin, ['public', 'members']],
    ...VISIBILITIES.map(
      (level) =>
        [`owner of ${level}`, owners[level], ['public', 'members']] as (typeof roles)[number],
    ),
  ]
})

const AUDIENCES = ['everybody', 'members'] as const

type Found = { items: { id: number; title: string }[]; total: number }
type Suggestion = { kind: string; text: string }

const search = (q: string, as?: TestMember, more: object = {}) =>
  ask<Found>(as, 'search.videos', { q, ...more })
const suggest = async (q: string, as?: TestMember) =>
  (await ask<Suggestion[]>(as, 'search.suggest', { q })).map(({ kind, text }) => `${kind} ${text}`)
const channels = async (q: string, as?: TestMember) =>
  (await ask<{ username: string }[]>(as, 'search.channels', { q })).map(({ username }) => username)
const change = (id: number, fields: Partial<NewVideoRow>) =>
  site.db.updateTable('videos').set(fields).where('id', '=', id).execute()

async function expectWhole(): Promise<void> {
  await site.index()
  const reader = openSiteDatabaseToRead(site.dataFolder)
  expect(await indexIsWhole(reader)).toBe(true)
  await reader.destroy()
}

/** Everything that searches answer, for a visitor and a member, with typing mistakes. */
async function answersOfAll() {
  const words = ['zorp', 'shared', 'blarg', ...Object.values(PLANTED)]
  const queries = words.flatMap((word) => [word, word.slice(0, 4), word.replace(/.(.)$/, '$1')])
  const answers = []
  for (const as of [undefined, roles[1]?.[1]]) {
    for (const q of queries) {
      const { items, total } = await search(q, as)
      const found = items.map(({ id }) => id)
      answers.push({ q, found, total, titles: await suggest(q, as), is: await channels(q, as) })
    }
  }
  return answers
}

test('each role finds what is for it, and counts that alone', async () => {
  for (const [role, as, found] of roles) {
    const expected = found.map((level) => ids[level]).sort()
    for (const q of ['zorp', 'zo', 'zrop', 'shared', 'blarg zorp']) {
      for (const sort of ['relevance', 'date', 'views']) {
        const { items, total } = await search(q, as, { sort })
        expect([items.map(({ id }) => id).sort(), total], `${role} ${q}`).toEqual([
          expected,
          expected.length,
        ])
      }
    }
    expect(await search('zorp', as, { limit: 1 }), role).toMatchObject({ total: expected.length })
  }
})

test('no role finds, is suggested, or is corrected to a word that it may not know', async () => {
  for (const [role, as, found] of roles) {
    for (const level of VISIBILITIES) {
      const word = PLANTED[level]
      const isKnown = found.includes(level)
      const typo = word.replace(/.(.)$/, '$1')
      for (const q of [
        word,
        `${word}tag`,
        `${word}text`,
        `${word}channel`,
        word.slice(0, 5),
        typo,
      ]) {
        const { items, total } = await search(q, as)
        const expected = isKnown ? [[ids[level]], 1] : [[], 0]
        expect([items.map(({ id }) => id), total], `${role}, ${q}`).toEqual(expected)
      }
      const about = `${role}, ${word}`
      const suggestions = [`tag ${word}tag`, `channel ${word}channel`, `video Zorp ${word}`]
      expect(await suggest(word, as), about).toEqual(isKnown ? suggestions : [])
      expect(await suggest(typo, as), about).toEqual(isKnown ? suggestions.slice(1) : [])
      for (const q of [word, typo]) {
        expect(await channels(q, as), about).toEqual(isKnown ? [`${word}channel`] : [])
      }
    }
  }
})

describe('a typing mistake', () => {
  const ben = () => roles[1]?.[1]

  test('is never taken for a word that only others may know', async () => {
    const id = await site.addVideo(owners.members, {
      ...{ title: 'Grindelwald', visibility: 'members' },
    })
    const near = await site.addVideo(owners.public, { title: 'Grindelwalk' })
    // One mistake away from both words.
    expect((await search('grindelwal0')).items.map((video) => video.id)).toEqual([near])
    const found = await search('grindelwal0', ben())
    expect(found.items.map((video) => video.id).sort()).toEqual([id, near].sort())
    // It is a word for members, and a mistake for visitors, who are not told that it is one.
    expect((await search('grindelwald')).items.map((video) => video.id)).toEqual([near])
    expect((await search('grindelwald', ben())).items.map((video) => video.id)).toEqual([id])
    for (const visibility of ['unlisted', 'private'] as const) {
      await change(id, { visibility })
      for (const as of [undefined, ben(), owners.members]) {
        for (const q of ['grindelwald', 'grindelwal0']) {
          expect((await search(q, as)).items.map((video) => video.id)).toEqual([near])
        }
      }
    }
  })

  test('in a few words is weighed by the videos of the audience', async () => {
    for (let at = 0; at < 12; at++) {
      await site.addVideo(owners.members, { title: `Flummox ${at}`, visibility: 'members' })
    }
    await site.addVideo(owners.public, { title: 'Flummoyx' })
    expect(await search('flummoy')).toMatchObject({ total: 1 })
    expect(await search('flummoy', ben())).toMatchObject({ total: 13 })
  })
})

test('a tag is as popular as the videos that the audience finds make it', async () => {
  const tag = (name: string, visibility: Visibility) =>
    site.addVideo(owners.public, { title: 'Tagged', tags: `["${name}"]`, visibility })
  for (const name of ['quux first', 'quux second', 'quux third']) await tag(name, 'public')
  await tag('quux second', 'public')
  for (let at = 0; at < 2; at++) await tag('quux third', 'members')
  for (let at = 0; at < 4; at++) await tag('quux first', 'unlisted')
  // They take no place of those that are found.
  for (let at = 10; at < 50; at++) await tag(`quux ${at}`, 'private')
  const tags = async (as?: TestMember) =>
    (await suggest('quux', as)).filter((text) => text.startsWith('tag'))
  expect(await tags()).toEqual(['tag quux second', 'tag quux first'])
  expect(await tags(owners.public)).toEqual(['tag quux third', 'tag quux second'])
  await expectWhole()
})

test('text that looks like the mark of a level is text', async () => {
  const mark = '\ue001members'
  const id = await site.addVideo(owners.public, { title: `Masquerade ${mark}` })
  expect((await search('masquerade')).items.map((video) => video.id)).toEqual([id])
  expect((await search(mark)).items.map((video) => video.id)).toEqual([id])
  expect(await search(mark, owners.public)).toMatchObject({ total: 1 })
})

test('a change of level is followed there and back, with the commit', async () => {
  const owner = await site.addMember('wanderer')
  const id = await site.addVideo(owner, { title: 'Snallygaster', tags: '["snallytag"]' })
  const levels: Visibility[] = ['members', 'unlisted', 'members', 'private', 'public', 'unlisted']
  for (const visibility of [...levels, 'public'] as const) {
    await change(id, { visibility })
    for (const as of [undefined, owner]) {
      const isFound = visibility === 'public' || (visibility === 'members' && as !== undefined)
      const all = ['tag snallytag', 'video Snallygaster']
      expect(await search('snallygaster', as), visibility).toMatchObject({ total: isFound ? 1 : 0 })
      expect(await suggest('snally', as), visibility).toEqual(isFound ? all : [])
      expect(await channels('wanderer', as)).toEqual(isFound ? ['wanderer'] : [])
    }
    await expectWhole()
  }
})

test('a video that is hidden is found no more before the index has followed', async () => {
  const id = await site.addVideo(owners.public, { title: 'Jackalope', tags: '["jackalopes"]' })
  await site.index()
  // The site's own in tests has the index follow first.
  const searcher = createSearcher({ db: site.db, dataFolder: site.dataFolder })
  const more = { category: undefined, sort: 'relevance', offset: 0, limit: 9 } as const
  const foundBy = async (audience: Audience) => [
    ...(await searcher.findVideos({ q: 'jackalope', ...more, audience })).ids,
    ...(await searcher.findSuggestions({ q: 'jackalope', audience })),
  ]
  for (const [visibility, audiences] of [
    ['members', ['everybody']],
    ['private', AUDIENCES],
  ] as const) {
    await change(id, { visibility })
    for (const audience of audiences) expect(await foundBy(audience), visibility).toEqual([])
  }
  await searcher.stop()
  await expectWhole()
})

describe('what was found a moment ago', () => {
  let searcher: ReturnType<typeof createSearcher>
  beforeAll(() => {
    searcher = createSearcher({ db: site.db, dataFolder: site.dataFolder })
  })
  afterAll(() => searcher.stop())

  const words = { title: 'Basilisk gaze', tags: '["basilisks"]', description: 'basiliskoid' }
  const all = ['tag basilisks', 'channel basilisk', 'video Basilisk gaze']
  const queries = ['basili', 'gaze', '#basilisks', 'basiliskoid', 'basiliks']
  type Change = (id: number, owner: TestMember) => Promise<unknown>
  const update =
    (fields: Partial<NewVideoRow>): Change =>
    (id) =>
      change(id, fields)
  const rename: Change = (_, { id }) =>
    changeRows(site.db, 'users', {
      where: { id },
      values: { displayName: 'Manticore', username: 'manticore' },
    })
  const changes: [name: string, make: Change, left: string[]][] = [
    ['is private', update({ visibility: 'private' }), []],
    ['is unlisted', update({ visibility: 'unlisted' }), []],
    ['is hidden by an admin', update({ contentApproved: 0 }), []],
    ['is being deleted', update({ processingState: 'deleting' }), []],
    ['is deleted', (id) => site.db.deleteFrom('videos').where('id', '=', id).execute(), []],
    [
      'is of a channel that is deleted',
      (_, { id }) => site.db.deleteFrom('users').where('id', '=', id).execute(),
      [],
    ],
    ['loses its tags', update({ tags: '[]' }), ['channel basilisk']],
    ['has another title', update({ title: 'Other', foldedTitle: 'other' }), all.slice(0, 2)],
    ['is anonymous', update({ isAnonymous: 1 }), ['tag basilisks']],
    ['is of a channel with another name', rename, ['tag basilisks', 'video Basilisk gaze']],
  ]

  test.each(changes)(
    'is remembered no more once it %s, before the index has followed',
    async (_, make, left) => {
      const owner = await site.addMember('basilisk')
      const id = await site.addVideo(owner, words)
      await site.index()
      onTestFinished(async () => {
        await site.db.deleteFrom('users').where('id', '=', owner.id).execute()
        await expectWhole()
      })
      const more = { category: undefined, sort: 'relevance', offset: 0, limit: 9 } as const
      const askAll = async () => {
        const answers = []
        for (const audience of AUDIENCES) {
          const found = []
          for (const q of queries) found.push(await searcher.findVideos({ q, ...more, audience }))
          const suggested = await searcher.findSuggestions({ q: 'basili', audience })
          answers.push({ found, suggested: suggested.map(({ kind, text }) => `${kind} ${text}`) })
        }
        return answers
      }
      const once = { ids: [id], total: 1 }
      for (const answer of await askAll()) {
        expect(answer).toEqual({ found: queries.map(() => once), suggested: all })
      }
      await make(id, owner)
      // A video whose texts have changed is found again when the index has them.
      const found = make === rename ? once : { ids: [], total: 0 }
      for (const answer of await askAll()) {
        expect(answer).toEqual({ found: queries.map(() => found), suggested: left })
      }
    },
  )
})

test('the index has no unlisted or private video, and is the same when it is made again', async () => {
  await site.index()
  const { rows } = await sql`
    SELECT "videoId" FROM "searchedVideos"
    JOIN "videos" ON "videos"."id" = "searchedVideos"."videoId"
    WHERE "videos"."visibility" IN ('unlisted', 'private')`.execute(site.db)
  expect(rows).toEqual([])
  const before = await answersOfAll()
  await rebuildSearchIndex(site.db)
  await expectWhole()
  expect(await answersOfAll()).toEqual(before)
})

test('a count or a level that is wrong is found to be', async () => {
  await site.index()
  const reader = openSiteDatabaseToRead(site.dataFolder)
  for (const harm of [
    `UPDATE "searchTerms" SET "publicCount" = "publicCount" + 1 WHERE "term" = 'megalodon'`,
    `UPDATE "searchTags" SET "publicCount" = 1 WHERE "tag" = 'megalodontag'`,
    `DELETE FROM "searchTags" WHERE "tag" = 'shared'`,
    `UPDATE "searchedVideos" SET "visibility" = 'public' WHERE "videoId" = ${ids.members}`,
    `UPDATE "searchedVideos" SET "tags" = '[]' WHERE "videoId" = ${ids.members}`,
  ]) {
    await sql.raw(harm).execute(site.db)
    expect(await indexIsWhole(reader), harm).toBe(false)
    await rebuildSearchIndex(site.db)
    expect(await indexIsWhole(reader)).toBe(true)
  }
  await reader.destroy()
})

test('on a site for members alone a visitor finds nothing, and members find the same as before', async () => {
  const set = (audience: 'everybody' | 'members') =>
    site.db.updateTable('siteSettings').set({ audience }).execute()
  const find = async (audience: 'everybody' | 'members') => {
    const { searcher } = site.deps
    const more = { category: undefined, sort: 'relevance', offset: 0, limit: 9 } as const
    return {
      ...(await searcher.findVideos({ q: 'zorp', ...more, audience })),
      suggestions: await searcher.findSuggestions({ q: 'mine', audience }),
    }
  }
  const before = { visitors: await find('everybody'), members: await find('members') }
  expect([before.visitors.total, before.members.total]).toEqual([1, 2])
  expect(before.visitors.suggestions).toHaveLength(1)
  await set('members')
  expect(await find('everybody')).toEqual({ ids: [], total: 0, suggestions: [] })
  expect(await find('members')).toEqual(before.members)
  await set('everybody')
  expect(await find('everybody')).toEqual(before.visitors)
})

test.skipIf(isOnPostgres)(
  'a look at the channel of very many hidden videos reads an index alone',
  async () => {
    const { rows } = await sql<{ detail: string }>`EXPLAIN QUERY PLAN
    SELECT 1 FROM "videos" WHERE "userId" = 1 AND "isAnonymous" = 0 AND "processingState" = 'ready'
      AND "contentApproved" = 1 AND "visibility" IN ('public', 'members') LIMIT 1`.execute(site.db)
    expect(rows[0]?.detail).toMatch(/USING COVERING INDEX videosByChannel/)
  },
)
