import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { listDamage } from '#server/platform/db/maintain.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { complete, initialize, sendChunk, sendFile } from '#test/support/upload-client.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

const TIMES = 50

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { owner } = setUpFileMembers(site, ['owner'])
let crowd: TestMember[]
beforeAll(async () => {
  crowd = await Promise.all(
    Array.from({ length: TIMES }, (_, index) => site.addMember(`member-${index}`)),
  )
})

const one = () => crowd[0] as TestMember
const post = (as: TestMember | undefined, url: string, payload: object) =>
  site.post(`/api${url}`, { ...(as && { as }), payload })
const remove = (as: TestMember, url: string) => site.delete(`/api${url}`, { as })
const { call, ask } = callsOf(site)
const times = <Result>(work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: TIMES }, (_, index) => work(index)))
const statusesOf = (answers: { statusCode: number }[]) =>
  [...new Set(answers.map((answer) => answer.statusCode))].sort()

const inbox = async (userId: number, type: string) =>
  site.db
    .selectFrom('notifications')
    .select(['message', 'sourceCount', 'videoId'])
    .where('userId', '=', userId)
    .where('type', '=', type as 'like')
    .orderBy('id')
    .execute()

/** Every counter of the site beside the number of rows it counts. */
async function expectTrueCounters() {
  const { rows } = await sql`
    SELECT 'video' AS kind, id FROM videos WHERE
      "likeCount" <> (SELECT count(*) FROM likes WHERE "videoId" = videos.id AND "isLike" = 1)
      OR "dislikeCount" <> (SELECT count(*) FROM likes WHERE "videoId" = videos.id AND "isLike" = 0)
      OR "viewCount" <> (SELECT coalesce(sum(count), 0) FROM "dailyViews" WHERE "videoId" = videos.id)
    UNION ALL SELECT 'comment', id FROM comments WHERE
      "likeCount" <> (SELECT count(*) FROM likes WHERE "commentId" = comments.id AND "isLike" = 1)
      OR "dislikeCount" <> (SELECT count(*) FROM likes WHERE "commentId" = comments.id AND "isLike" = 0)
    UNION ALL SELECT 'channel', id FROM users WHERE
      "subscriberCount" <> (SELECT count(*) FROM subscriptions WHERE "channelId" = users.id)
  `.execute(site.db)
  expect(rows).toEqual([])
}

describe('likes at once', () => {
  test('of fifty members are all counted, and the owner gets one notification of them', async () => {
    const videoId = await site.addVideo(owner, { title: 'Ace' })
    const answers = await times((at) => post(crowd[at], '/likes', { videoId, isLike: true }))
    expect(statusesOf(answers)).toEqual([200])
    expect(
      answers
        .map((answer) => answer.json().likeCount)
        .sort((a, b) => a - b)
        .at(-1),
    ).toBe(50)
    await expectTrueCounters()
    expect(await inbox(owner.id, 'like')).toEqual([
      { message: '50 people liked "Ace"', sourceCount: 50, videoId },
    ])
  })

  test('of one member, the same fifty times, count once and are notified once', async () => {
    const videoId = await site.addVideo(owner, { title: 'Clutch' })
    const answers = await times(() => post(one(), '/likes', { videoId, isLike: true }))
    expect(new Set(answers.map((answer) => answer.body))).toEqual(
      new Set(['{"likeCount":1,"dislikeCount":0,"myRating":"like"}']),
    )
    await expectTrueCounters()
    expect((await inbox(owner.id, 'like')).filter((row) => row.videoId === videoId)).toHaveLength(1)
  })

  test('that flip, clear and set again leave the counters with the rows', async () => {
    const videoId = await site.addVideo(owner, { title: 'Flips' })
    const { id: commentId } = (await post(owner, '/comments', { videoId, content: 'So?' })).json()
    const answers = await times((at) => {
      const target = at % 2 === 0 ? { videoId } : { commentId }
      if (at % 5 === 4) return call(crowd[at % 7], 'like.clear', target)
      return post(crowd[at % 7], '/likes', { ...target, isLike: at % 3 === 0 })
    })
    expect(statusesOf(answers)).toEqual([200])
    await expectTrueCounters()
    const rows = await site.db
      .selectFrom('notifications')
      .select('id')
      .where('videoId', '=', videoId)
      .where('type', '=', 'like')
      .execute()
    expect(rows.length).toBeLessThanOrEqual(1)
  })
})

describe('subscriptions at once', () => {
  test('of one member, fifty times on and off, end as one row or none and are notified once', async () => {
    const channel = await site.addMember('channel')
    const answers = await times((at) =>
      at % 2 === 0
        ? post(one(), '/subscriptions', { channelId: channel.id })
        : remove(one(), `/subscriptions/${one().id}/${channel.id}`),
    )
    for (const status of statusesOf(answers)) expect([200, 201, 204]).toContain(status)
    await expectTrueCounters()
    expect(await inbox(channel.id, 'new_subscriber')).toHaveLength(1)
  })

  test('of fifty members are fifty, each notified once', async () => {
    const channel = await site.addMember('famous')
    const twice = [...crowd, ...crowd]
    const answers = await Promise.all(
      twice.map((as) => post(as, '/subscriptions', { channelId: channel.id })),
    )
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(TIMES)
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(TIMES)
    await expectTrueCounters()
    expect(await inbox(channel.id, 'new_subscriber')).toHaveLength(TIMES)
  })
})

test('fifty comments at once are fifty comments and fifty notifications', async () => {
  const videoId = await site.addVideo(owner)
  const answers = await times((at) =>
    post(crowd[at], '/comments', { videoId, content: `No ${at}` }),
  )
  expect(statusesOf(answers)).toEqual([201])
  const listed = await site.get(`/api/videos/${videoId}/comments?limit=100`)
  expect(listed.json()).toHaveLength(TIMES)
  expect(await inbox(owner.id, 'video_comment')).toHaveLength(TIMES)
})

test('fifty registrations of one name at once make one account', async () => {
  const account = { displayName: 'Carl', password: PASSWORD }
  const answers = await times((at) => {
    const username = at % 2 === 0 ? 'carl' : 'CARL'
    return post(undefined, '/register', { ...account, username, email: `carl-${at}@example.org` })
  })
  expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(1)
  expect(statusesOf(answers)).toEqual([201, 409])
})

describe('views', () => {
  test('reported fifty times at once by one member and one visitor are two', async () => {
    const videoId = await site.addVideo(owner)
    const report = { videoId, positionSeconds: 12, watchedSeconds: 12 }
    const begin = { ...report, watchedSeconds: 0 }
    for (const as of [one(), undefined]) await call(as, 'history.report', begin)
    site.passTime(12)
    const answers = await times((at) => call(at % 2 ? one() : undefined, 'history.report', report))
    const counted = answers.filter((answer) => answer.json().result.data.viewCounted)
    expect(counted).toHaveLength(2)
    const video = await site.get(`/api/videos/${videoId}`)
    expect(video.json().viewCount).toBe(2)
    await expectTrueCounters()
  })
})

describe('uploads', () => {
  test('completed fifty times at once are one video, and notify each subscriber once', async () => {
    const path = join(site.dataFolder, 'clip.mp4')
    await makeClip({ path, seconds: 1 })
    const uploader = await site.addMember('uploader')
    for (const as of crowd.slice(0, 5)) await post(as, '/subscriptions', { channelId: uploader.id })
    const uploadId = await sendFile({ site, as: uploader }, { path })
    const answers = await times(() => complete({ site, as: uploader }, { uploadId }))
    expect(statusesOf(answers)).toEqual([200])
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
    const { videoId } = (answers[0] as (typeof answers)[0]).json()
    const listed = await site.get(`/api/users/${uploader.id}/videos`)
    expect(listed.json()).toHaveLength(1)
    for (const { id } of crowd.slice(0, 5)) {
      const rows = await inbox(id, 'upload')
      expect(rows.filter((row) => row.videoId === videoId)).toHaveLength(1)
    }
  })

  test('of files that do not all fit into a quota are let in as far as they fit', async () => {
    const as = await site.addMember('hoarder')
    const quota = { quotaBytes: 10_000_000 }
    await site.db.updateTable('users').set(quota).where('id', '=', as.id).execute()
    const opened = await times(() => initialize({ site, as }, { size: 8_000_000 }))
    expect(opened.filter((answer) => answer.statusCode === 201)).toHaveLength(1)
    expect(statusesOf(opened)).toEqual([201, 413])
  })

  test('take the same chunk fifty times at once, and no fourth one beside three', async () => {
    const as = await site.addMember('hasty')
    const opened = await times(() => initialize({ site, as }, { size: 5 }))
    expect(opened.filter((answer) => answer.statusCode === 201)).toHaveLength(3)
    expect(statusesOf(opened)).toEqual([201, 429])
    const { uploadId } = opened.find((answer) => answer.statusCode === 201)?.json() ?? {}
    const chunk = { uploadId, chunkIndex: 0, totalChunks: 1, bytes: Buffer.from('bytes') }
    expect(statusesOf(await times(() => sendChunk({ site, as }, chunk)))).toEqual([200])
  })
})

test('a video approved twenty times at once notifies once', async () => {
  const admin = await site.addMember('boss', { isAdmin: true })
  await post(one(), '/subscriptions', { channelId: owner.id })
  const id = await site.addVideo(owner, { title: 'Pending', contentApproved: 0 })
  await Promise.all(Array.from({ length: 20 }, () => call(admin, 'moderation.approve', { id })))
  const rows = (await inbox(one().id, 'upload')).filter((row) => row.videoId === id)
  expect(rows).toHaveLength(1)
})

test('a video hidden or shown again twenty times at once is that once', async () => {
  const admin = await site.addMember('second-boss', { isAdmin: true })
  const hasty = await site.addMember('hidden')
  const id = await site.addVideo(hasty, { title: 'Hidden' })
  const acts = [
    ['moderation.hideVideo', 'video.hide'],
    ['moderation.unhideVideo', 'video.unhide'],
  ] as const
  for (const [name] of acts) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(admin, name, { id, reason: 'Not ours' })),
    )
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1)
    expect(statusesOf(answers)).toEqual([200, 409])
  }
  expect(await inbox(hasty.id, 'upload')).toHaveLength(2)
  const log = site.db.selectFrom('auditLog').select('action').where('targetId', '=', id)
  expect(
    await log
      .where(
        'action',
        'in',
        acts.map(([, action]) => action),
      )
      .execute(),
  ).toHaveLength(2)
})

describe('what goes away meanwhile', () => {
  test('a video that is deleted answers everything else with what was or with 404', async () => {
    const videoId = await site.addVideo(owner)
    const { id: parentId } = (await post(owner, '/comments', { videoId, content: 'So?' })).json()
    const work = times((at) => {
      if (at === 20) return remove(owner, `/videos/${videoId}`)
      const acts = [
        () => post(crowd[at], '/likes', { videoId, isLike: true }),
        () => post(crowd[at], '/comments', { videoId, content: 'Nice', parentId }),
        () =>
          call(crowd[at], 'history.report', { videoId, positionSeconds: 12, watchedSeconds: 12 }),
        () => call(crowd[at], 'playlist.addToWatchLater', { videoId }),
        () => call(crowd[at], 'video.hide', { id: videoId }),
        () => call(crowd[at], 'report.create', { videoId, reason: 'Spam' }),
      ]
      return (acts[at % acts.length] as (typeof acts)[0])()
    })
    for (const status of statusesOf(await work)) expect([200, 201, 204, 404]).toContain(status)
    await expectTrueCounters()
    expect(await listDamage(site.db)).toEqual([])
  })

  test('an account that is deleted leaves true counters and no 5xx', async () => {
    const leaver = await addMemberWithPassword(site, 'leaver')
    const videoId = await site.addVideo(owner)
    const mine = await site.addVideo(leaver)
    const work = times((at) => {
      if (at === 10) return call(leaver, 'settings.deleteAccount', { password: PASSWORD })
      const acts = [
        () => post(leaver, '/likes', { videoId, isLike: true }),
        () => post(leaver, '/comments', { videoId, content: 'Bye' }),
        () => post(crowd[at], '/subscriptions', { channelId: leaver.id }),
        () => post(crowd[at], '/likes', { videoId: mine, isLike: true }),
        () => post(leaver, '/subscriptions', { channelId: owner.id }),
      ]
      return (acts[at % acts.length] as (typeof acts)[0])()
    })
    for (const status of statusesOf(await work)) expect([200, 201, 401, 404]).toContain(status)
    await expectTrueCounters()
  })
})

describe('the last admin', () => {
  test('remains when two take the role from each other, or leave at once', async () => {
    await site.db.updateTable('users').set({ isAdmin: 0 }).execute()
    const [eve, fay] = [
      await addMemberWithPassword(site, 'eve', { isAdmin: true }),
      await addMemberWithPassword(site, 'fay', { isAdmin: true }),
    ]
    const countAdmins = async () =>
      (await site.db.selectFrom('users').select('id').where('isAdmin', '=', 1).execute()).length
    await Promise.all([
      call(eve, 'moderation.setAdmin', { userId: fay.id, isAdmin: false }),
      call(fay, 'moderation.setAdmin', { userId: eve.id, isAdmin: false }),
    ])
    expect(await countAdmins()).toBe(1)
    await site.db
      .updateTable('users')
      .set({ isAdmin: 1 })
      .where('username', 'in', ['eve', 'fay'])
      .execute()
    const leave = { password: PASSWORD }
    const answers = await Promise.all(
      [eve, fay].map((as) => call(as, 'settings.deleteAccount', leave)),
    )
    expect(statusesOf(answers)).toEqual([200, 409])
    expect(await countAdmins()).toBe(1)
  })
})

describe('playlists', () => {
  longTest('are at most 200, and hold a video once, however parallel', async () => {
    const as = await site.addMember('collector')
    const videoId = await site.addVideo(owner)
    const made = await Promise.all(
      Array.from({ length: 210 }, (_, at) => call(as, 'playlist.create', { title: `List ${at}` })),
    )
    expect(made.filter((answer) => answer.statusCode === 200)).toHaveLength(200)
    expect(statusesOf(made)).toEqual([200, 409])
    const playlistId = made.find((answer) => answer.statusCode === 200)?.json().result.data.id
    await times(() => call(as, 'playlist.addVideo', { playlistId, videoId }))
    expect(await ask(as, 'playlist.get', { id: playlistId })).toMatchObject({ videoCount: 1 })
  })
})
