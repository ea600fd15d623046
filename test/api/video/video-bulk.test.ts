import { expect, test } from 'vitest'
import { countTurns } from '#test/support/count-turns.ts'
import { answerOf, callProcedure } from '#test/support/procedure-call.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { openTestSite, type TestMember } from '#test/support/test-site.ts'

const site = setUpTestSite()
const { ann, bob } = setUpFileMembers(site, ['ann', 'bob'])

const ask = <Output>(name: string, input: object, as = ann) =>
  answerOf<Output>(site, { as, name, input })
const columnsOf = (id: number) =>
  site.db
    .selectFrom('videos')
    .select(['category', 'tags', 'isAnonymous', 'discordEmbed', 'title'])
    .where('id', '=', id)
    .executeTakeFirst()

test('one change is made to several videos, and what each says of itself stays', async () => {
  const first = await site.addVideo(ann, { title: 'One', tags: '["Ace","clutch"]' })
  const second = await site.addVideo(ann, { title: 'Two' })
  const change = { category: 'CS2', addTags: ['squad', 'ACE'], removeTags: ['CLUTCH'] }
  const flags = { isAnonymous: true, discordEmbed: false }
  const ids = [first, second, first]
  expect(await ask('video.editMany', { ids, ...change, ...flags })).toEqual({
    done: [first, second],
    failed: [],
  })
  const both = { category: 'CS2', isAnonymous: 1, discordEmbed: 0 }
  expect(await columnsOf(first)).toEqual({ ...both, title: 'One', tags: '["Ace","squad"]' })
  expect(await columnsOf(second)).toEqual({ ...both, title: 'Two', tags: '["squad","ACE"]' })
})

test('what cannot be changed is named, and the others are changed all the same', async () => {
  const own = await site.addVideo(ann)
  const full = await site.addVideo(ann, {
    tags: JSON.stringify(Array.from({ length: 10 }, (_, index) => `tag ${index}`)),
  })
  const theirs = await site.addVideo(bob)
  const result = await ask('video.editMany', {
    ids: [full, theirs, 999_999, own],
    category: 'Rust',
    addTags: ['more'],
  })
  expect(result).toEqual({
    done: [own],
    failed: [
      { id: full, sentence: 'A video has at most 10 tags.' },
      { id: theirs, sentence: 'Only its owner can change this video.' },
      { id: 999_999, sentence: expect.stringMatching(/^This video could not be found/) },
    ],
  })
  expect((await columnsOf(full))?.category).toBe('Other')
  expect(await ask('video.editMany', { ids: [own] })).toEqual({ done: [own], failed: [] })
})

test('several are deleted, but nobody else’s', async () => {
  const own = [await site.addVideo(ann), await site.addVideo(ann)]
  const theirs = await site.addVideo(bob)
  expect(await ask('video.deleteMany', { ids: [...own, theirs] })).toEqual({
    done: own,
    failed: [{ id: theirs, sentence: 'Only its owner can delete this video.' }],
  })
  for (const id of own) expect(await columnsOf(id)).toBeUndefined()
  expect(await columnsOf(theirs)).toBeDefined()
})

test('a call names one to a hundred videos', async () => {
  for (const name of ['video.editMany', 'video.deleteMany']) {
    for (const ids of [
      [],
      Array.from({ length: 101 }, (_, index) => index + 1),
      ['x'],
      undefined,
    ]) {
      const answer = await callProcedure(site, { as: ann, name, input: { ids } })
      expect(answer.statusCode).toBe(400)
    }
  }
})

test('others have their turn between one video and the next', async () => {
  const ids: number[] = []
  for (let at = 0; at < 20; at++) ids.push(await site.addVideo(ann))
  const edited = () => ask('video.editMany', { ids, category: 'Rust' })
  expect(await countTurns(edited)).toBeGreaterThanOrEqual(ids.length)
})

test('each video counts against a limit of its own, and a whole call always fits', async () => {
  const strict = await openTestSite({ rateLimitScale: 1 })
  try {
    const eve = await strict.addMember('eve')
    const call = (as: TestMember, name: string, from: number) => {
      const ids = Array.from({ length: 100 }, (_, index) => from + index)
      return callProcedure(strict, { as, name, input: { ids } })
    }
    for (const name of ['video.editMany', 'video.deleteMany', 'video.editMany']) {
      expect((await call(eve, name, 1)).statusCode).toBe(200)
    }
    const refused = await call(eve, 'video.deleteMany', 1)
    expect(refused.statusCode).toBe(429)
    expect(refused.json().error.message).toMatch(/^These are many videos at once\./)
    expect((await call(await strict.addMember('fay'), 'video.editMany', 1)).statusCode).toBe(200)
  } finally {
    await strict.close()
  }
  const slow = await openTestSite({ rateLimitScale: 0.1 })
  try {
    const ids = Array.from({ length: 100 }, (_, index) => index + 1)
    const as = await slow.addMember('gus')
    const answer = await callProcedure(slow, { as, name: 'video.editMany', input: { ids } })
    expect(answer.statusCode).toBe(200)
  } finally {
    await slow.close()
  }
})
