import { afterAll, beforeAll, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import type { VideoLevel } from '#shared/schemas/visibility.schemas.ts'
import { LEVEL_READS } from '#test/support/level-rows.ts'
import { addPeople, type Names, type People, plantLevels } from '#test/support/planted-levels.ts'
import { toRequest } from '#test/support/read-levels.ts'
import { openSiteWithPages } from '#test/support/shared-site.ts'

/** Headers that differ between two equal answers. */
const UNSTEADY =
  /"(date|etag|last-modified|content-length|set-cookie|x-request-id|x-ratelimit[\w-]*)":"[^"]*",?/g
/**
 * Leaves out the owner's posts, which stay while only their video is missing; the metrics, which
 * count requests and are for whoever runs the site; the squad itself, which is open to all;
 * sessions, which have the time of their last use; an upload, which says how long ago it was
 * heard of; and the clock.
 */
const READS = LEVEL_READS.filter(
  ([call]) =>
    !/post\.list|backups|metrics|settings\.sessions|arriving\.get|squad\.(list|ofMember)|\.clock/.test(
      call,
    ),
)

let site: Awaited<ReturnType<typeof openSiteWithPages>>
let people: People
let names: Names
beforeAll(async () => {
  site = await openSiteWithPages({ rateLimitScale: 1_000_000 })
  people = await addPeople(site)
  names = (await plantLevels(site, people, ['public'])).public
})
afterAll(() => site.close())

/** All that somebody is answered, with the names of what is public. */
async function readAll(as?: People['member']): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const row of READS) {
    const request = toRequest(row, { ...names, me: `${as?.id ?? 1}` })
    const { statusCode, headers, body } = await site.call({ ...request, ...(as && { as }) })
    answers[request.url] = `${statusCode} ${JSON.stringify(headers)} ${body}`.replaceAll(
      UNSTEADY,
      '',
    )
  }
  return answers
}

/** Where somebody is answered otherwise than before. */
async function listChanges(before: Record<string, string>, as?: People['member']) {
  const after = await readAll(as)
  return Object.keys(before).filter((url) => before[url] !== after[url])
}

/** Follows the public video with the others, as many viewers did. */
async function watchNext(planted: Record<VideoLevel, Names>, levels: VideoLevel[]) {
  const videoId = Number(names.video)
  for (const level of levels) {
    const nextVideoId = Number(planted[level].video)
    const rows = [
      { videoId, nextVideoId, count: 50 },
      { videoId: nextVideoId, nextVideoId: videoId, count: 50 },
    ]
    await site.db.insertInto('watchedNext').values(rows).execute()
  }
}

test('no list, count, suggestion or order tells a visitor or a newcomer what they may not see', async () => {
  const newcomer = await site.addMember('newcomer')
  const [visitors, theirs] = [await readAll(), await readAll(newcomer)]
  const hidden = await plantLevels(site, people, ['unlisted', 'private', 'squad'])
  await watchNext(hidden, ['unlisted', 'private', 'squad'])
  await site.index()
  expect(await listChanges(visitors)).toEqual([])
  expect(await listChanges(theirs, newcomer)).toEqual([])

  const members = await plantLevels(site, people, ['members'])
  await watchNext(members, ['members'])
  await site.index()
  expect(await listChanges(visitors)).toEqual([])
  expect((await listChanges(theirs, newcomer)).length).toBeGreaterThan(10)
})

test('what becomes private is as if it had never been', async () => {
  const before = await readAll()
  const planted = (await plantLevels(site, people, ['public'])).public
  await site.index()
  expect((await listChanges(before)).length).toBeGreaterThan(10)
  const { owner } = people
  await site.call({
    ...{ as: owner, method: 'PATCH', url: `/api/videos/${planted.video}` },
    payload: { visibility: 'private' },
  })
  await site.db
    .updateTable('playlists')
    .set({ visibility: 'private', updatedAt: timestamp() })
    .where('id', 'in', [Number(planted.playlist), Number(planted.openList)])
    .execute()
  await site.index()
  expect(await listChanges(before)).toEqual([])
})
