import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeApi } from '#server/http/openapi.ts'
import { makePng } from '../support/png.ts'
import { procedureRequest, procedures } from '../support/procedure-call.ts'
import { openTestSite, type TestSite } from '../support/test-site.ts'
import { multipart } from '../support/upload-client.ts'
import { makeWorld, PASSWORD, type Role, type World } from '../support/world.ts'

const ROLES: Role[] = ['visitor', 'owner', 'other', 'admin', 'ended']

// Who may do what. '{video}' and the like are rows of the owner, '{me}' is whoever asks; the host's
// '{publicVideo}' belongs to none of them. Every request finds everything as it was at the start.

const CAPTIONS = Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n')

// biome-ignore format: a table is read by its columns
const REST: [call: string, statuses: string, body?: unknown][] = [
  //                                                 visitor owner other admin ended-session
  ['GET /api/user',                                     '401 200 200 200 401'],
  ['POST /api/login',                                   '401 401 401 401 401', { username: 'nobody', password: 'wrong one' }],
  ['POST /api/register',                                '201 201 201 201 201', { username: '{unique}', email: '{unique}@example.org', displayName: 'New', password: PASSWORD }],
  ['POST /api/logout',                                  '204 204 204 204 204'],
  ['GET /api/users/{owner}',                            '200 200 200 200 200'],
  ['GET /api/users/{owner}/videos',                     '200 200 200 200 200'],
  ['GET /api/videos',                                   '200 200 200 200 200'],
  ['GET /api/videos/{video}',                           '200 200 200 200 200'],
  ['GET /api/videos/{hidden}',                          '404 200 404 200 404'],
  ['GET /api/videos/category/Other',                    '200 200 200 200 200'],
  ['GET /api/search?q=video',                           '200 200 200 200 200'],
  ['GET /api/categories',                               '200 200 200 200 200'],
  ['GET /api/videos/{video}/comments',                  '200 200 200 200 200'],
  ['GET /api/videos/{hidden}/comments',                 '404 200 404 200 404'],
  ['GET /api/comments/{comment}/replies',               '200 200 200 200 200'],
  ['POST /api/comments',                                '401 201 201 201 401', { videoId: '{video}', content: 'Nice' }],
  ['POST /api/comments',                                '401 201 404 201 401', { videoId: '{hidden}', content: 'Nice' }],
  ['POST /api/comments',                                '401 201 403 403 401', { videoId: '{video}', content: 'Nice', userId: '{owner}' }],
  ['POST /api/subscriptions',                           '401 201 201 201 401', { channelId: '{host}' }],
  ['POST /api/subscriptions',                           '401 400 201 201 401', { channelId: '{owner}' }],
  ['POST /api/subscriptions',                           '401 201 403 403 401', { channelId: '{host}', subscriberId: '{owner}' }],
  ['DELETE /api/subscriptions/{me}/{host}',             '401 204 204 204 401'],
  ['DELETE /api/subscriptions/{owner}/{host}',          '401 204 403 403 401'],
  ['POST /api/likes',                                   '401 200 200 200 401', { videoId: '{video}', isLike: true }],
  ['POST /api/likes',                                   '401 200 404 200 401', { videoId: '{hidden}', isLike: true }],
  ['POST /api/likes',                                   '401 200 403 403 401', { videoId: '{video}', isLike: true, userId: '{owner}' }],
  ['POST /api/uploads/initialize',                      '401 201 201 201 401', { fileName: 'a.mp4', fileSize: 5, metadata: { title: 'A clip' } }],
  ['POST /api/uploads/chunk',                           '401 200 404 404 401', { uploadId: '{upload}', chunkIndex: 0, totalChunks: 1, chunk: Buffer.from('bytes') }],
  ['POST /api/uploads/thumbnail',                       '401 200 404 404 401', { uploadId: '{upload}', thumbnail: makePng(16, 9) }],
  ['POST /api/uploads/file',                            '401 422 422 422 401', { file: Buffer.from('bytes') }],
  ['POST /api/uploads/complete',                        '401 409 404 404 401', { uploadId: '{upload}', thumbnailUrl: null }],
  ['PATCH /api/videos/{video}',                         '401 200 403 403 401', { title: 'New title' }],
  ['PATCH /api/videos/{hidden}',                        '401 200 404 403 401', { title: 'New title' }],
  ['DELETE /api/videos/{video}',                        '401 204 403 204 401'],
  ['DELETE /api/videos/{hidden}',                       '401 204 404 204 401'],
  ['GET /api/users/{owner}/notifications',              '401 200 403 403 401'],
  ['PATCH /api/notifications/{notification}/read',      '401 200 404 404 401'],
  ['PATCH /api/users/{owner}/notifications/read-all',   '401 200 403 403 401'],
  ['DELETE /api/notifications/{notification}',          '401 204 404 404 401'],
  ['POST /api/settings/avatar',                         '401 200 200 200 401', { picture: makePng(16, 16) }],
  ['POST /api/settings/banner',                         '401 200 200 200 401', { picture: makePng(16, 9) }],
  ['POST /api/videos/{video}/thumbnail',                '401 200 403 403 401', { thumbnail: makePng(16, 9) }],
  ['POST /api/videos/{hidden}/thumbnail',               '401 200 404 403 401', { thumbnail: makePng(16, 9) }],
  ['GET /api/backups/{backup}/download',                '401 403 403 404 401'],
  ['POST /api/site/logo',                               '401 403 403 200 401', { picture: makePng(16, 9) }],
  ['POST /api/videos/{video}/captions',                 '401 200 403 403 401', { language: 'de', captions: CAPTIONS }],
  ['POST /api/videos/{hidden}/captions',                '401 200 404 403 401', { language: 'de', captions: CAPTIONS }],
  ['GET {videoFile}',                                   '200 200 200 200 200'],
  ['GET {hiddenFile}',                                  '404 200 404 200 404'],
  ['HEAD {hiddenFile}',                                 '404 200 404 200 404'],
  ['GET /api/health',                                   '200 200 200 200 200'],
  ['GET /api/openapi.json',                             '200 200 200 200 200'],
  ['GET /api/docs',                                     '200 200 200 200 200'],
]

// biome-ignore format: a table is read by its columns
const TRPC: [procedure: string, statuses: string, input?: unknown][] = [
  //                           visitor owner other admin ended-session
  ['analytics.state',             '401 200 200 200 401'],
  ['analytics.channel',           '401 200 200 200 401', {}],
  ['analytics.video',             '401 200 403 403 401', { id: '{video}' }],
  ['analytics.video',             '401 200 404 403 401', { id: '{hidden}' }],
  ['audit.list',                  '401 403 403 200 401', {}],
  ['apiToken.list',               '401 200 200 200 401'],
  ['apiToken.create',             '401 200 200 200 401', { name: 'ShareX', scope: 'upload', days: 30 }],
  ['apiToken.revoke',             '401 200 404 404 401', { id: '{apiToken}' }],
  ['auth.currentUser',            '200 200 200 200 200'],
  ['auth.login',                  '401 401 401 401 401', { username: 'nobody', password: 'wrong one' }],
  ['auth.register',               '200 200 200 200 200', { username: '{unique}', email: '{unique}@example.org', displayName: 'New', password: PASSWORD }],
  ['auth.registration',           '200 200 200 200 200', {}],
  ['auth.passwordReset',          '404 404 404 404 404', { token: 'a-token-that-is-none-at-all' }],
  ['auth.resetPassword',          '404 404 404 404 404', { token: 'a-token-that-is-none-at-all', password: PASSWORD }],
  ['auth.logout',                 '200 200 200 200 200'],
  ['caption.edit',                '401 200 403 403 401', { id: '{captions}', label: 'Mine' }],
  ['caption.delete',              '401 200 403 403 401', { id: '{captions}' }],
  ['backup.list',                 '401 403 403 200 401', {}],
  ['backup.start',                '401 403 403 200 401'],
  ['backup.delete',               '401 403 403 200 401', { id: '{backup}' }],
  ['comment.list',                '200 200 200 200 200', { id: '{video}' }],
  ['comment.list',                '404 200 404 200 404', { id: '{hidden}' }],
  ['comment.create',              '401 200 200 200 401', { videoId: '{video}', content: 'Nice' }],
  ['comment.replies',             '200 200 200 200 200', { id: '{comment}' }],
  ['comment.pinned',              '200 200 200 200 200', { id: '{video}' }],
  ['comment.pinned',              '404 200 404 200 404', { id: '{hidden}' }],
  ['comment.pin',                 '401 403 403 403 401', { id: '{comment}', isPinned: true }],
  ['comment.heart',               '401 403 403 403 401', { id: '{comment}', isHearted: true }],
  ['comment.edit',                '401 200 403 403 401', { id: '{comment}', content: 'Nicer' }],
  ['comment.delete',              '401 200 403 200 401', { id: '{comment}' }],
  ['explore.trending',            '200 200 200 200 200', {}],
  ['explore.tags',                '200 200 200 200 200'],
  ['explore.games',               '200 200 200 200 200'],
  ['history.report',              '200 200 200 200 200', { videoId: '{video}', positionSeconds: 1, watchedSeconds: 1 }],
  ['history.report',              '404 200 404 200 404', { videoId: '{hidden}', positionSeconds: 1, watchedSeconds: 1 }],
  ['history.list',                '401 200 200 200 401', {}],
  ['history.positions',           '401 200 200 200 401', { videoIds: ['{video}'] }],
  ['history.remove',              '401 200 200 200 401', { videoId: '{video}' }],
  ['history.restore',             '401 200 200 200 401', { videoId: '{video}', positionSeconds: 1, watchedAt: '2026-01-01T00:00:00.000Z' }],
  ['history.restore',             '401 200 404 200 401', { videoId: '{hidden}', positionSeconds: 1, watchedAt: '2026-01-01T00:00:00.000Z' }],
  ['history.clear',               '401 200 200 200 401'],
  ['history.state',               '401 200 200 200 401'],
  ['history.setPaused',           '401 200 200 200 401', { paused: true }],
  ['invite.list',                 '401 403 403 200 401', {}],
  ['invite.create',               '401 403 403 200 401', {}],
  ['invite.revoke',               '401 403 403 200 401', { id: '{invite}' }],
  ['job.list',                    '401 403 403 200 401', {}],
  ['job.log',                     '401 403 403 200 401', { id: 1 }],
  ['member.list',                 '401 403 403 200 401', {}],
  ['member.setQuota',             '401 403 403 200 401', { userId: '{other}', quotaBytes: 5 }],
  ['member.resetPassword',        '401 403 403 200 401', { userId: '{other}' }],
  ['moderation.queue',            '401 403 403 200 401', {}],
  ['moderation.approve',          '401 403 403 200 401', { id: '{hidden}' }],
  ['moderation.reject',           '401 403 403 200 401', { id: '{video}', reason: 'Not ours' }],
  ['moderation.hideVideo',        '401 403 403 200 401', { id: '{video}', reason: 'Not ours' }],
  ['moderation.unhideVideo',      '401 403 403 409 401', { id: '{video}' }],
  ['moderation.deleteVideo',      '401 403 403 200 401', { id: '{video}', reason: 'Not ours' }],
  ['moderation.heldComments',     '401 403 403 200 401', {}],
  ['moderation.approveComment',   '401 403 403 409 401', { id: '{comment}' }],
  ['moderation.hideComment',      '401 403 403 200 401', { id: '{comment}', reason: 'Not ours' }],
  ['moderation.unhideComment',    '401 403 403 409 401', { id: '{comment}' }],
  ['moderation.deleteComment',    '401 403 403 200 401', { id: '{comment}', reason: 'Not ours' }],
  ['moderation.warn',             '401 403 403 200 401', { userId: '{other}', reason: 'Not ours' }],
  ['moderation.ban',              '401 403 403 200 401', { userId: '{other}', reason: 'Not ours' }],
  ['moderation.unban',            '401 403 403 409 401', { userId: '{other}' }],
  ['moderation.setAdmin',         '401 403 403 200 401', { userId: '{other}', isAdmin: true }],
  ['notification.list',           '401 200 403 403 401', { userId: '{owner}' }],
  ['notification.markRead',       '401 200 404 404 401', { id: '{notification}' }],
  ['notification.markAllRead',    '401 200 403 403 401', { userId: '{owner}' }],
  ['notification.delete',         '401 200 404 404 401', { id: '{notification}' }],
  ['notification.onChange',       '401 200 200 200 401'],
  ['overview.get',                '401 403 403 200 401'],
  ['overview.views',              '401 403 403 200 401', {}],
  ['playlist.get',                '200 200 200 200 200', { id: '{playlist}' }],
  ['playlist.get',                '404 200 404 404 404', { id: '{privateList}' }],
  ['playlist.listByUser',         '200 200 200 200 200', { id: '{owner}' }],
  ['playlist.listOwn',            '401 200 200 200 401', {}],
  ['playlist.watchLater',         '401 200 200 200 401'],
  ['playlist.create',             '401 200 200 200 401', { title: 'New' }],
  ['playlist.edit',               '401 200 403 403 401', { id: '{playlist}', title: 'Newer' }],
  ['playlist.edit',               '401 200 404 404 401', { id: '{privateList}', title: 'Newer' }],
  ['playlist.delete',             '401 200 403 403 401', { id: '{playlist}' }],
  ['playlist.addVideo',           '401 200 403 403 401', { playlistId: '{playlist}', videoId: '{video}' }],
  ['playlist.addToWatchLater',    '401 200 200 200 401', { videoId: '{video}' }],
  ['playlist.addToWatchLater',    '401 200 404 200 401', { videoId: '{hidden}' }],
  ['playlist.removeVideo',        '401 200 403 403 401', { playlistId: '{playlist}', videoId: '{publicVideo}' }],
  ['playlist.moveVideo',          '401 200 403 403 401', { playlistId: '{playlist}', videoId: '{publicVideo}', toIndex: 0 }],
  ['rating.set',                  '401 200 200 200 401', { commentId: '{comment}', isLike: true }],
  ['rating.clear',                '401 200 200 200 401', { videoId: '{video}' }],
  ['rating.clear',                '401 200 404 200 401', { videoId: '{hidden}' }],
  ['report.create',               '401 200 200 200 401', { videoId: '{video}', reason: 'Spam' }],
  ['report.create',               '401 200 404 200 401', { videoId: '{hidden}', reason: 'Spam' }],
  ['report.list',                 '401 403 403 200 401', {}],
  ['report.close',                '401 403 403 200 401', { id: '{report}', state: 'resolved' }],
  ['search.videos',               '200 200 200 200 200', { q: 'video' }],
  ['search.suggest',              '200 200 200 200 200', { q: 'video' }],
  ['settings.editProfile',        '401 200 200 200 401', { bio: 'Hello' }],
  ['settings.removePicture',      '401 200 200 200 401', { kind: 'avatar' }],
  ['settings.changePassword',     '401 200 200 200 401', { currentPassword: PASSWORD, newPassword: 'battery staple' }],
  ['settings.sessions',           '401 200 200 200 401'],
  ['settings.endSession',         '401 200 404 404 401', { id: '{session}' }],
  ['settings.deleteAccount',      '401 200 200 200 401', { password: PASSWORD }],
  ['sharing.preview',             '401 200 403 200 401', { id: '{video}' }],
  ['sharing.preview',             '401 200 404 200 401', { id: '{hidden}' }],
  ['site.settings',               '200 200 200 200 200'],
  ['site.rules',                  '200 200 200 200 200'],
  ['site.adminSettings',          '401 403 403 200 401'],
  ['site.removeLogo',             '401 403 403 200 401'],
  ['site.encoder',                '401 403 403 200 401'],
  ['site.edit',                   '401 403 403 200 401', { name: 'Clutch' }],
  ['storage.videos',              '401 403 403 200 401', {}],
  ['storage.freeable',            '401 403 403 200 401'],
  ['storage.freeOriginal',        '401 403 403 409 401', { id: '{video}' }],
  ['storage.freeOriginals',       '401 403 403 200 401'],
  ['storage.startCheck',          '401 403 403 200 401'],
  ['storage.check',               '401 403 403 200 401'],
  ['subscription.channels',       '401 200 200 200 401'],
  ['subscription.create',         '401 200 200 200 401', { channelId: '{host}' }],
  ['subscription.delete',         '401 200 200 200 401', { channelId: '{host}' }],
  ['upload.initialize',           '401 200 200 200 401', { fileName: 'a.mp4', fileSize: 5, metadata: { title: 'A clip' } }],
  ['upload.complete',             '401 409 404 404 401', { uploadId: '{upload}' }],
  ['upload.listOpen',             '401 200 200 200 401'],
  ['upload.cancel',               '401 200 404 404 401', { uploadId: '{upload}' }],
  ['user.get',                    '200 200 200 200 200', { id: '{owner}' }],
  ['video.list',                  '200 200 200 200 200', {}],
  ['video.listByCategory',        '200 200 200 200 200', { category: 'Other' }],
  ['video.listByUser',            '200 200 200 200 200', { id: '{owner}' }],
  ['video.get',                   '404 200 404 200 404', { id: '{hidden}' }],
  ['video.recommended',           '200 200 200 200 200', { id: '{video}' }],
  ['video.recommended',           '404 200 404 200 404', { id: '{hidden}' }],
  ['video.categories',            '200 200 200 200 200'],
  ['video.processingStatus',      '404 200 404 200 404', { id: '{hidden}' }],
  ['video.playback',              '404 200 404 200 404', { id: '{hidden}' }],
  ['video.cancelProcessing',      '401 409 403 409 401', { id: '{video}' }],
  ['video.cancelProcessing',      '401 409 404 409 401', { id: '{hidden}' }],
  ['video.retryProcessing',       '401 200 403 200 401', { id: '{video}' }],
  ['video.retryProcessing',       '401 200 404 200 401', { id: '{hidden}' }],
  ['video.posterFrames',          '401 200 403 403 401', { id: '{video}' }],
  ['video.posterFrames',          '401 200 404 403 401', { id: '{hidden}' }],
  ['video.setPosterFrame',        '401 422 403 403 401', { id: '{video}', atSeconds: 0 }],
  ['video.setPosterFrame',        '401 422 404 403 401', { id: '{hidden}', atSeconds: 0 }],
  ['video.edit',                  '401 200 403 403 401', { id: '{video}', title: 'New title' }],
  ['video.editMany',              '401 200 200 200 401', { ids: ['{video}'], category: 'Rust' }],
  ['video.deleteMany',            '401 200 200 200 401', { ids: ['{video}'] }],
  ['video.listSubscribed',        '401 200 200 200 401', {}],
  ['video.listLiked',             '401 200 200 200 401', {}],
  ['video.hide',                  '401 200 200 200 401', { id: '{video}' }],
  ['video.hide',                  '401 200 404 200 401', { id: '{hidden}' }],
  ['video.unhide',                '401 200 200 200 401', { id: '{video}' }],
  ['video.delete',                '401 200 403 200 401', { id: '{video}' }],
]

let site: TestSite
beforeAll(async () => {
  site = await openTestSite({ rateLimitScale: 1_000_000 })
  // Somebody who keeps every admin of the table from being the last one.
  await site.addMember('keeper', { isAdmin: true })
})
afterAll(() => site.close())

/** Sends one request in a world of its own. @returns the status */
async function statusFor(role: Role, request: (world: World) => InjectOptions): Promise<number> {
  const world = await makeWorld(site)
  const person = world.people[role]
  world.names.me = `${person?.id ?? world.names.owner}`
  const text = JSON.stringify({ ...request(world), payload: undefined })
  const { payload } = request(world)
  const filled = typeof payload === 'string' ? fill(payload, world) : payload
  const answer = await site.call({
    ...JSON.parse(fill(text, world)),
    ...(filled !== undefined && { payload: filled }),
    ...(person && { as: person }),
    payloadAsStream: true,
  })
  const stream = answer.stream()
  if (!`${answer.headers['content-type']}`.startsWith('text/event-stream')) {
    stream.destroy()
    return answer.statusCode
  }
  for await (const event of stream) {
    const failure = /"httpStatus":(\d+)/.exec(`${event}`)
    if (failure) return Number(failure[1])
    if (`${event}`.includes('unreadCount')) break
  }
  return answer.statusCode
}

function fill(text: string, { names }: World): string {
  return text.replaceAll(/\{(\w+)\}|%7B(\w+)%7D/g, (all, plain, encoded) => {
    return names[plain ?? encoded] ?? all
  })
}

function restRequest(call: string, body: unknown): (world: World) => InjectOptions {
  const [method = '', url = ''] = call.split(' ')
  const fields = Object.entries(body ?? {})
  return (world) => {
    const request = { method: method as 'GET', url }
    if (body === undefined) return request
    if (!fields.some(([, value]) => Buffer.isBuffer(value))) {
      const headers = { 'content-type': 'application/json' }
      return { ...request, headers, payload: JSON.stringify(body) }
    }
    const filled = fields.map(([name, value]) =>
      typeof value === 'string' ? [name, fill(value, world)] : [name, value],
    )
    return { ...request, ...multipart(Object.fromEntries(filled)) }
  }
}

const statuses = async (request: (world: World) => InjectOptions) => {
  const found: number[] = []
  for (const role of ROLES) found.push(await statusFor(role, request))
  return found.join(' ')
}

describe('REST', () => {
  test.each(REST)('%s answers %s', async (call, expected, body) => {
    expect(await statuses(restRequest(call, body))).toBe(expected)
  })

  test('has every documented path in this table', () => {
    const { paths } = describeApi() as { paths: Record<string, Record<string, object>> }
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const shape = (call: string) => call.replace(/\?.*/, '').replaceAll(/\{\w+\}/g, '{}')
    const listed = new Set([...REST.map(([call]) => shape(call)), 'GET /api/videos/category/{}'])
    expect(documented.map(shape).filter((call) => !listed.has(call))).toEqual([])
    expect(documented).toHaveLength(32)
  })
})

describe('tRPC', () => {
  test.each(TRPC)('%s answers %s', async (name, expected, input) => {
    expect(await statuses(() => procedureRequest(name, input))).toBe(expected)
  })

  test('has every procedure in this table', () => {
    const listed = new Set(TRPC.map(([name]) => name))
    expect(Object.keys(procedures).filter((name) => !listed.has(name))).toEqual([])
    expect([...listed].filter((name) => !(name in procedures))).toEqual([])
  })
})
