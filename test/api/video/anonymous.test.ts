import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '#server/platform/db/database.ts'
import { makeClip } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { answerOf, callProcedure, procedures } from '#test/support/procedure-call.ts'
import { addRow, addRows, readRow } from '#test/support/rows.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { setNextId } from '#test/support/site-database.ts'
import { storeFiles } from '#test/support/stored-files.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

// The owner's id and names occur nowhere else, so that any trace of them is found in the text.
const OWNER_ID = 777_777
const TRACES = /777777|secret|hidden ?ann/i
const KEY = '0'.repeat(31)
const ROOM = 'r'.repeat(22)
const files = (letter: string) => ({
  mediaKey: `${letter}${KEY}`,
  videoUrl: `/media/${letter}${KEY}/video.mp4`,
  thumbnailUrl: `/media/${letter}${KEY}/poster.jpg`,
})

let site: TestSite
const clientFolder = setUpFolder('client')
let ann: TestMember
let bob: TestMember
let admin: TestMember
let video: number
let other: number
let comment: number
let playlist: number

beforeAll(async () => {
  for (const name of ['index.html', 'embed.html']) {
    await writeFile(join(clientFolder, name), '<!doctype html><title>Clutch</title>')
  }
  site = await openTestSite({}, { clientFolder })
  const { db } = site
  bob = await site.addMember('bob')
  admin = await site.addMember('admin', { isAdmin: true })
  await setNextId(db, { table: 'users', id: OWNER_ID })
  ann = await site.addMember('secretann')
  const change = { displayName: 'Hidden Ann', bio: 'The secret one', showEmail: 1 as const }
  await db.updateTable('users').set(change).where('id', '=', ann.id).execute()

  other = await site.addVideo(bob, { title: 'Heli raid', tags: '["raid"]', ...files('b') })
  video = await site.addVideo(ann, {
    title: 'Raid at night',
    tags: '["raid"]',
    contentApproved: 0,
    duration: 60,
    ...files('a'),
  })
  for (const { mediaKey } of [files('a'), files('b')]) {
    await storeFiles(site, mediaKey, { 'video.mp4': 'bytes', 'poster.jpg': 'bytes' })
  }
  await ask(bob, 'subscription.create', { channelId: ann.id })
  await addRows(db, 'participants', { videoId: video, userId: bob.id, state: 'named' })
  await ask(admin, 'moderation.approve', { id: video })
  comment = (await ask<{ id: number }>(bob, 'comment.create', { videoId: video, content: 'Wow' }))
    .id
  const clip = { videoId: video, title: 'The best part', startSeconds: 0, endSeconds: 4 }
  await ask(ann, 'clip.create', clip)
  await ask(bob, 'like.set', { videoId: video, isLike: true })
  const squad = { name: 'Raiders', tag: 'RAID', colour: 'red', emblem: 'sword', joining: 'open' }
  const { id: squadId } = await ask<{ id: number }>(bob, 'squad.create', squad)
  await ask(ann, 'squad.join', { id: squadId })
  for (const videoId of [other, video]) {
    for (const watchedSeconds of [0, 60]) {
      await ask(bob, 'history.report', { videoId, positionSeconds: 1, watchedSeconds })
      site.passTime(60)
    }
  }
  await ask(bob, 'playlist.addToWatchLater', { videoId: video })
  const list = { title: 'Raids', isPublic: true }
  playlist = (await ask<{ id: number }>(bob, 'playlist.create', list)).id
  await ask(bob, 'playlist.addVideo', { playlistId: playlist, videoId: video })
  await addRow(db, 'squadViews', { createdAt: timestamp() })
  for (const videoId of [other, video]) {
    const { mediaKey } = await readRow(db, 'videos', { id: videoId })
    const place = { alignment: 'hand', offsetSeconds: 0, mediaKey } as const
    await addRows(db, 'squadViewVideos', { squadViewId: 1, videoId, state: 'in', ...place })
  }
  const { token } = await ask<{ token: string }>(bob, 'watchRoom.create', { videoId: video })
  const open = { token: ROOM, allowsGuests: 1 as const }
  await db.updateTable('watchRooms').set(open).where('token', '=', token).execute()
})
afterAll(() => site.close())

const ask = <Output>(as: TestMember | undefined, name: string, input?: unknown) =>
  answerOf<Output>(site, { as, name, input })

/** With which inputs each query is asked; what is about the channel itself, and no video, is left out. */
const READS: Record<string, unknown[]> = {
  'arriving.get': [{ id: 2 }],
  'analytics.state': [undefined],
  'analytics.channel': [{}],
  'analytics.video': [{ id: 2 }],
  'audit.list': [{}],
  'apiToken.list': [undefined],
  'auth.currentUser': [undefined],
  'auth.passwordReset': [{ token: 'a-token-that-is-none-at-all' }],
  'auth.registration': [{}],
  'backup.list': [{}],
  'backup.safety': [undefined],
  'clip.around': [{ id: 1 }],
  'clip.suggestTitles': [{ videoId: 2, startSeconds: 0, endSeconds: 5 }],
  'clip.bestOfWeek': [{}],
  'clip.byId': [{ id: 1 }],
  'clip.mine': [{}],
  'clip.newest': [{}],
  'clip.ofChannel': [{ id: OWNER_ID }],
  'clip.ofVideo': [{ id: 2 }],
  'clip.search': [{ q: 'best' }],
  'comment.newSince': [{ id: 2, after: 0 }],
  'comment.count': [{ id: 2 }],
  'comment.list': [{ id: 0 }],
  'comment.pinned': [{ id: 2 }],
  'comment.replies': [{ id: 1 }],
  'comment.thread': [{ id: 1 }],
  'digest.choice': [undefined],
  'push.state': [undefined],
  'email.state': [undefined],
  'explore.games': [undefined],
  'explore.host': [undefined],
  'explore.loved': [undefined],
  'explore.pinned': [undefined],
  'explore.tags': [undefined],
  'explore.trending': [{}, { category: 'Other' }],
  'home.game': [{ category: 'Other' }],
  'home.people': [undefined],
  'home.shelves': [undefined],
  'home.tonight': [undefined],
  'home.visit': [undefined],
  'history.list': [{}, { q: 'raid' }, { q: 'hidden' }],
  'history.positions': [{ videoIds: [1, 2] }],
  'history.state': [undefined],
  'history.unfinished': [undefined],
  'invite.list': [{}],
  'job.encoder': [undefined],
  'job.list': [{}],
  'job.log': [{ id: 1 }],
  'member.list': [{}],
  'member.signIn': [{ userId: OWNER_ID }],
  'moderation.banConsequences': [{ userId: OWNER_ID }],
  'moderation.heldComments': [{}],
  'moderation.heldPosts': [{}],
  'moderation.queue': [{}],
  'moment.list': [{ id: 2 }],
  'notification.browse': [{}, { filter: 'unread' }, { filter: 'comments' }],
  'notification.choices': [undefined],
  'notification.list': [{}],
  'held.get': [undefined],
  'held.list': [{ part: 'videos' }],
  'fetch.list': [undefined],
  'import.list': [undefined],
  'import.places': [undefined],
  'inbox.state': [undefined],
  'inbox.list': [{}],
  'inbox.settings': [undefined],
  'inbox.status': [undefined],
  'inbox.unusable': [{}],
  'overview.get': [undefined],
  'overview.waiting': [undefined],
  'overview.views': [{}],
  'participant.appearances': [{ id: 1 }],
  'participant.list': [{ id: 2 }],
  'playlist.get': [{ id: 1 }, { id: 2 }],
  'playlist.namedMembers': [{ id: 1 }, { id: 2 }],
  'shareLink.list': [{ videoId: 1 }, { videoId: 2 }],
  'shareLink.video': [{ token: 'A'.repeat(22), videoId: 2 }],
  'video.namedMembers': [{ id: 1 }, { id: 2 }],
  'video.downloads': [{ id: 1 }, { id: 2 }],
  'playlist.listByUser': [{ id: 1 }, { id: OWNER_ID }],
  'playlist.listOwn': [{}, { videoId: 2 }],
  'playlist.watchLater': [undefined],
  'release.get': [undefined],
  'report.list': [{}],
  'setup.get': [undefined],
  'setup.reach': [undefined],
  'search.channels': [{ q: 'raid' }, { q: 'hidden' }, { q: 'secretann' }],
  'search.suggest': [{ q: 'raid' }, { q: 'hidden' }, { q: 'secretann' }],
  'search.videos': [
    { q: 'raid' },
    { q: 'raid', sort: 'views', category: 'Other' },
    { q: 'Hidden Ann' },
    { q: 'secretann', sort: 'date' },
    { q: 'secretan' },
    { q: `${OWNER_ID}` },
  ],
  'settings.dataExport': [undefined],
  'security.factors': [undefined],
  'settings.confirmWays': [undefined],
  'settings.sessions': [undefined],
  'mail.state': [undefined],
  'signIn.settings': [undefined],
  'signIn.ways': [undefined],
  'site.adminSettings': [undefined],
  'provider.linked': [undefined],
  'provider.list': [undefined],
  'sharing.preview': [{ id: 1 }, { id: 2 }],
  'site.games': [undefined],
  'site.rules': [undefined],
  'site.settings': [undefined],
  'search.squads': [{ q: 'a' }],
  'squadView.get': [{ id: 1 }],
  'squadView.ofVideo': [{ id: 1 }, { id: 2 }],
  'squadView.likely': [{ id: 1 }, { id: 2 }],
  'watchRoom.clock': [undefined],
  'watchRoom.get': [{ token: ROOM }],
  'squad.clips': [{ id: 1 }],
  'squad.get': [{ id: 1 }],
  'squad.invites': [{ id: 1 }],
  'squad.list': [{}],
  'squad.loved': [{ id: 1 }],
  'squad.mine': [undefined],
  'squad.requests': [{ id: 1 }],
  'squad.videos': [{ id: 1 }],
  'storage.check': [undefined],
  'storage.freeable': [undefined],
  'reaction.list': [{ id: 2 }],
  'reaction.own': [{ id: 2 }],
  'watching.counts': [{ ids: [1, 2] }],
  'watching.faces': [{ id: 2 }],
  'webhook.list': [undefined],
  'webhook.deliveries': [{ id: 1 }],
  'webhook.posts': [{ id: 1 }],
  'storage.videos': [{}],
  'upload.findSame': [{ files: [{ fileSize: 5, hashes: ['0'.repeat(64)] }] }],
  'upload.listOpen': [undefined],
  'video.categories': [undefined],
  'video.get': [{ id: 2 }],
  'video.list': [{}, { category: 'Other' }],
  'video.listByCategory': [{ category: 'Other' }],
  'video.listByUser': [{ id: OWNER_ID }],
  'video.listLiked': [{}],
  'video.listSubscribed': [{}],
  'video.listWork': [undefined],
  'video.posterFrames': [{ id: 2 }],
  'cut.source': [{ videoId: 2 }],
  'cut.state': [{ videoId: 2 }],
  'video.processingStatus': [{ id: 2 }],
  'video.playback': [{ id: 2 }],
  'video.recommended': [{ id: 1 }, { id: 2 }],
  'node.list': [undefined],
  'worker.list': [undefined],
}
const ABOUT_CHANNELS = [
  'featuredChannel.list',
  'live.onChange',
  'live.onVideo',
  // Its own test asks for an upload that arrives.
  'arriving.follow',
  // Names people, and nothing of the videos.
  'live.onRoom',
  'post.get',
  'post.list',
  'search.members',
  'squad.members',
  'squad.ofMember',
  'squad.posts',
  'subscription.channels',
  'user.get',
]

const PATHS = [
  '/api/user',
  '/api/videos',
  '/api/videos/2',
  '/api/videos/category/Other',
  `/api/users/${OWNER_ID}/videos`,
  '/api/users/1/notifications',
  '/api/search?q=raid',
  '/api/search?q=hidden%20ann',
  '/api/videos/2/comments',
  files('a').videoUrl,
  files('a').thumbnailUrl,
  '/',
  '/video/2',
  '/search?q=raid',
  '/playlist/2',
  '/embed/2',
  '/feeds/videos.xml',
  '/feeds/game/Other.xml',
  '/feeds/search.xml?q=raid',
  '/sitemap.xml',
  '/oembed?url=http%3A%2F%2Flocalhost%2Fvideo%2F2',
  '/oembed?format=xml&url=http%3A%2F%2Flocalhost%2Fvideo%2F2',
]

/** Calls of other members about the video. */
const ACTS: [name: string, input: object][] = [
  ['like.set', { videoId: 2, isLike: false }],
  ['like.set', { videoId: 2, isLike: true }],
  ['comment.create', { videoId: 2, content: 'Who is it?' }],
  ['history.report', { videoId: 2, positionSeconds: 2, watchedSeconds: 2 }],
  ['playlist.addVideo', { playlistId: 2, videoId: 2 }],
  ['playlist.edit', { id: 2, title: 'Raids' }],
  ['report.create', { videoId: 2, reason: 'Who is it?' }],
  ['caption.edit', { id: 1, label: 'Mine' }],
  ['cut.start', { videoId: 2, as: 'new', parts: [{ fromSeconds: 0, toSeconds: 1 }] }],
  ['cut.bringBack', { videoId: 2 }],
  ['cut.forgetOld', { videoId: 2 }],
  [
    'montage.start',
    {
      title: 'Best of',
      items: [{ videoId: 2, fromSeconds: 0, toSeconds: 2 }],
      transition: 'fade',
      titleCard: false,
    },
  ],
  ['video.edit', { id: 2, title: 'Mine' }],
  ['video.editMany', { ids: [2], category: 'Rust' }],
  ['video.delete', { id: 2 }],
  ['video.deleteMany', { ids: [2] }],
  ['video.hide', { id: 2 }],
  ['video.unhide', { id: 2 }],
]

/** Every answer that `as` can get about videos, as text with its headers. */
async function readEverything(as: TestMember | undefined): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const keep = (name: string, { headers, body }: { headers: object; body: string }) =>
    found.set(name, `${JSON.stringify({ ...headers, 'x-request-id': undefined })}\n${body}`)
  for (const [name, inputs] of Object.entries(READS)) {
    for (const input of inputs) {
      const given = name === 'comment.list' ? { id: video } : input
      keep(
        `${name} ${JSON.stringify(input)}`,
        await callProcedure(site, { as, name, input: given }),
      )
    }
  }
  for (const url of PATHS) {
    for (const method of ['GET', 'HEAD'] as const) {
      keep(`${method} ${url}`, await site.call({ ...(as && { as }), method, url }))
    }
  }
  return found
}

const tracesIn = (answers: Map<string, string>) =>
  [...answers].filter(([, text]) => TRACES.test(text)).map(([name]) => name)

const whoMayAsk = () => [undefined, bob] as const

test('the walk asks every query there is, about the rows it means', () => {
  const queries = Object.keys(procedures).filter(
    (name) => procedures[name]?._def.type !== 'mutation',
  )
  const asked = [...Object.keys(READS), ...ABOUT_CHANNELS]
  expect(queries.filter((name) => !asked.includes(name))).toEqual([])
  expect([other, video, playlist, ann.id]).toEqual([1, 2, 2, OWNER_ID])
})

describe('a public video', () => {
  test('names its owner in every list, so that the walk would see a trace', async () => {
    for (const as of whoMayAsk()) {
      const traces = tracesIn(await readEverything(as))
      for (const name of [
        'video.get {"id":2}',
        `watchRoom.get {"token":"${ROOM}"}`,
        'search.videos {"q":"Hidden Ann"}',
        'GET /api/videos',
        'GET /video/2',
        'GET /embed/2',
        'GET /feeds/videos.xml',
        'GET /feeds/search.xml?q=raid',
        'GET /sitemap.xml',
        'GET /oembed?url=http%3A%2F%2Flocalhost%2Fvideo%2F2',
        'GET /oembed?format=xml&url=http%3A%2F%2Flocalhost%2Fvideo%2F2',
      ]) {
        expect(traces).toContain(name)
      }
    }
    expect(tracesIn(await readEverything(bob))).toEqual(
      expect.arrayContaining([
        'notification.list {}',
        'history.list {}',
        'playlist.watchLater undefined',
        'video.listLiked {}',
        'video.listSubscribed {}',
      ]),
    )
  })
})

describe('when it becomes anonymous', () => {
  beforeAll(async () => {
    await ask(ann, 'video.edit', { id: video, isAnonymous: true })
  })

  test('no answer to a visitor or another member has a trace of its owner', async () => {
    for (const as of whoMayAsk()) expect(tracesIn(await readEverything(as))).toEqual([])
  })

  test('no answer to what they do with it has one either', async () => {
    for (const as of whoMayAsk()) {
      for (const [name, input] of ACTS) {
        const answer = await callProcedure(site, { as, name, input })
        expect([name, answer.body]).toEqual([name, expect.not.stringMatching(TRACES)])
      }
    }
  })

  test('it is still there, with neither userId nor channel', async () => {
    const seen = { isAnonymous: true, userId: null, channel: null }
    for (const as of whoMayAsk()) {
      expect(await ask(as, 'video.get', { id: video })).toMatchObject(seen)
      expect(
        (await ask<{ items: object[] }>(as, 'search.videos', { q: 'night' })).items,
      ).toHaveLength(1)
    }
  })

  test('it is gone from the channel, its feed, and searches for the channel', async () => {
    for (const as of whoMayAsk()) {
      expect(await ask(as, 'video.listByUser', { id: ann.id })).toMatchObject({ items: [] })
      expect(await ask(as, 'search.videos', { q: 'Hidden Ann' })).toMatchObject({ total: 0 })
    }
    expect(await ask(bob, 'video.listSubscribed', {})).toMatchObject({ items: [] })
    expect(await ask(bob, 'notification.list', {})).toMatchObject({ items: [] })
  })

  test('its owner and admins still see whose it is', async () => {
    for (const as of [ann, admin]) {
      const seen = { userId: ann.id, channel: { username: 'secretann' } }
      expect(await ask(as, 'video.get', { id: video })).toMatchObject(seen)
      const { items } = await ask<{ items: object[] }>(as, 'video.listByUser', { id: ann.id })
      expect(items).toMatchObject([seen])
    }
  })

  test('renaming the channel does not bring the name back into the index', async () => {
    await ask(ann, 'settings.editProfile', { displayName: 'Hidden Ann the Second' })
    expect(await ask(bob, 'search.videos', { q: 'Second' })).toMatchObject({ total: 0 })
  })

  test('it is not offered beside the channel’s other videos only for being of that channel', async () => {
    const fillers = Array.from({ length: 110 }, (_, index) => ({
      userId: bob.id,
      mediaKey: `filler-${index}`,
      title: `Filler ${index}`,
      category: 'GTA',
      publishedAt: '2020-02-01T00:00:00.000Z',
      processingState: 'ready' as const,
    }))
    await site.db.insertInto('videos').values(fillers).execute()
    // Older than a hundred others and seen by a million: nothing but its channel leads to it.
    const old = { publishedAt: '2020-01-01T00:00:00.000Z', viewCount: 1_000_000 }
    const change = { ...old, tags: '[]', category: 'FiveM' }
    await site.db.updateTable('videos').set(change).where('id', '=', video).execute()
    await site.db.deleteFrom('watchedNext').execute()
    const named = await site.addVideo(ann, { title: 'Under my name', category: 'CS2' })
    const offered = await ask<{ id: number }[]>(bob, 'video.recommended', { id: named })
    expect(offered).toHaveLength(10)
    expect(offered.map(({ id }) => id)).not.toContain(video)
  })
})

describe('an upload', () => {
  test('that is anonymous from the start notifies no subscriber, also when an admin approves it', async () => {
    const pending = { title: 'Nobody knows', isAnonymous: 1 as const, contentApproved: 0 as const }
    const id = await site.addVideo(ann, pending)
    await ask(admin, 'moderation.approve', { id })
    expect(await ask(bob, 'notification.list', {})).toMatchObject({ items: [] })
    expect(await ask(bob, 'video.get', { id })).toMatchObject({ channel: null })
  })

  longTest('that is made anonymous while it is prepared notifies none either', async () => {
    const path = join(site.dataFolder, 'clip.avi')
    await makeClip({ path, container: 'avi', videoCodec: 'mpeg4', audioCodec: null, seconds: 8 })
    const uploadId = await sendFile({ site, as: ann }, { path, name: 'clip.avi' })
    const { videoId: id } = (await complete({ site, as: ann }, { uploadId })).json()
    const stage = () => ask<{ stage: string }>(ann, 'video.processingStatus', { id })
    await site.deps.jobs.start()
    await until(async () => (await stage()).stage !== 'waiting')
    await ask(ann, 'video.edit', { id, isAnonymous: true })
    await until(async () => (await stage()).stage === 'done')
    expect(await ask(bob, 'video.get', { id })).toMatchObject({
      channel: null,
      processingState: 'ready',
    })
    expect(await ask(bob, 'notification.list', {})).toMatchObject({ items: [] })
  })
})

test('a comment on an anonymous video is answered without a word about its owner', async () => {
  await ask(bob, 'comment.create', {
    videoId: video,
    content: '@secretann is it you?',
    parentId: comment,
  })
  const list = await callProcedure(site, { name: 'comment.list', input: { id: video } })
  expect(list.body.replaceAll('@secretann is it you?', '')).not.toMatch(TRACES)
})
