import { beforeEach, describe, expect, test } from 'vitest'
import type { NewVideoRow } from '#server/platform/db/tables/video.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { callProcedure, callsOf } from '#test/support/procedure-call.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask } = callsOf(site)
const admin = setUpAdmin(site)
const { ann, bob } = setUpMembers(site, ['ann', 'bob'])

type Listed = { items: Video[]; nextCursor: string | null }
const page = (as: TestMember | undefined, input: object = {}) =>
  ask<Listed>(as, 'video.listByUser', { id: ann.id, ...input })
const list = async (as: TestMember | undefined, input: object = {}) =>
  (await page(as, input)).items.map((video) => video.title)

const STATES: Record<string, Partial<NewVideoRow>> = {
  'In the open': {},
  'Waiting for a word': { contentApproved: 0 },
  'Turned down': { contentApproved: 0, rejectionReason: 'Not a game.' },
  'Taken away': { contentApproved: 0, rejectionReason: 'A name in it.', withheld: 'hidden' },
  'Being prepared': { processingState: 'processing' },
  'Not playable': { processingState: 'failed', processingError: 'It has no picture.' },
  'On its way out': { processingState: 'deleting' },
}

describe('the videos of a channel', () => {
  beforeEach(async () => {
    for (const [title, fields] of Object.entries(STATES)) {
      await site.addVideo(ann, { title, ...fields })
    }
  })

  test.each([
    [
      'all',
      [
        ...['Not playable', 'Being prepared', 'Taken away', 'Turned down'],
        ...['Waiting for a word', 'In the open'],
      ],
    ],
    ['hidden', ['Taken away']],
    ['published', ['In the open']],
    ['pending', ['Waiting for a word']],
    ['rejected', ['Turned down']],
    ['processing', ['Being prepared']],
    ['failed', ['Not playable']],
  ])('in the state "%s" are, for their owner and an admin, %j', async (state, titles) => {
    for (const as of [ann, admin]) expect(await list(as, { state })).toEqual(titles)
  })

  test('are for others the public ones, whatever state they ask for', async () => {
    for (const as of [undefined, bob]) {
      for (const state of ['all', 'published']) {
        expect(await list(as, { state })).toEqual(['In the open'])
      }
      for (const state of ['pending', 'rejected', 'processing', 'failed']) {
        expect(await list(as, { state })).toEqual([])
      }
    }
  })
})

describe('in the studio', () => {
  const SORTED = {
    newest: ['Édith plays', 'beta', 'Alpha', 'Zeta', 'alpha'],
    oldest: ['alpha', 'Zeta', 'Alpha', 'beta', 'Édith plays'],
    // As viewed as another, but newer.
    views: ['Alpha', 'Édith plays', 'beta', 'alpha', 'Zeta'],
    title: ['alpha', 'Alpha', 'beta', 'Édith plays', 'Zeta'],
  }
  beforeEach(async () => {
    const views = { alpha: 5, Zeta: 1, Alpha: 50, beta: 5, 'Édith plays': 10 }
    let day = 1
    for (const [title, viewCount] of Object.entries(views)) {
      const publishedAt = `2026-01-0${day++}T00:00:00.000Z`
      await site.addVideo(ann, { title, viewCount, publishedAt })
    }
  })

  test.each(['newest', 'oldest', 'views', 'title'] as const)(
    'sorted by %s, each video comes once, page by page',
    async (sort) => {
      expect(await list(ann, { sort })).toEqual(SORTED[sort])
      const found: string[] = []
      let cursor: string | null = null
      do {
        const next: Listed = await page(ann, { sort, limit: 2, cursor })
        found.push(...next.items.map((video) => video.title))
        cursor = next.nextCursor
      } while (cursor)
      expect(found).toEqual(SORTED[sort])
    },
  )

  test('the next page is right also after the last video of this one was deleted', async () => {
    const first = await page(ann, { sort: 'title', limit: 2 })
    const last = first.items[1]?.id ?? 0
    await site.db.deleteFrom('videos').where('id', '=', last).execute()
    expect(await list(ann, { sort: 'title', limit: 2, cursor: first.nextCursor })).toEqual([
      'beta',
      'Édith plays',
    ])
  })

  test('a cursor leads on only in the order it came from', async () => {
    const { nextCursor: cursor } = await page(ann, { sort: 'title', limit: 2 })
    const forge = (sort: string, key: unknown) => ({
      ...{ sort, cursor: Buffer.from(JSON.stringify([sort, key, 1])).toString('base64url') },
    })
    const forged = [
      ...[forge('title', {}), forge('title', 1), forge('newest', 1)],
      ...[forge('views', 'many'), forge('views', 0.5)],
    ]
    const made = [{ sort: 'views', cursor }, { cursor }, ...forged]
    for (const input of [...made, { sort: 'best' }, { state: 'lost' }]) {
      const call = { as: ann, name: 'video.listByUser', input: { id: ann.id, ...input } }
      expect((await callProcedure(site, call)).statusCode).toBe(400)
    }
  })

  test('the longest title leads on like any other', async () => {
    const title = '한'.repeat(100)
    for (let index = 0; index < 2; index++) await site.addVideo(bob, { title })
    const first = await page(bob, { id: bob.id, sort: 'title', limit: 1 })
    const rest = { id: bob.id, sort: 'title', cursor: first.nextCursor }
    expect(await list(bob, rest)).toEqual([title])
  })

  test('titles are found by any part of them, with no character special', async () => {
    await site.addVideo(ann, { title: '100% ace' })
    expect(await list(ann, { q: 'EDITH' })).toEqual(['Édith plays'])
    expect(await list(ann, { q: ' alpha ', sort: 'oldest' })).toEqual(['alpha', 'Alpha'])
    expect(await list(ann, { q: '%' })).toEqual(['100% ace'])
    expect(await list(ann, { q: '_' })).toEqual([])
  })
})

test('only its owner and admins are notified why a video was turned down', async () => {
  const id = await site.addVideo(ann, { rejectionReason: 'Not a game.' })
  const read = (as: TestMember | undefined) => ask<Video>(as, 'video.get', { id })
  for (const as of [ann, admin]) expect((await read(as)).rejectionReason).toBe('Not a game.')
  for (const as of [bob, undefined]) expect((await read(as)).rejectionReason).toBeNull()
  expect((await page(ann)).items[0]?.rejectionReason).toBe('Not a game.')
})
