import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { addBegunSignIn } from '#test/support/begun-sign-in.ts'
import { makeClip } from '#test/support/clips.ts'
import { makePng } from '#test/support/png.ts'
import { answerOf as askProcedure } from '#test/support/procedure-call.ts'
import { addRows } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { addVideos } from '#test/support/site-rows.ts'
import { storeFiles } from '#test/support/stored-files.ts'
import { multipart, sendFile } from '#test/support/upload-client.ts'
import { addWaitingDevice } from '#test/support/waiting-device.ts'
import { makeWorld, PASSWORD, type Role, type World } from '#test/support/world.ts'

type Schema = Record<string, unknown>
type Answer = { content?: Record<string, { schema: Schema }>; headers?: object; $ref?: string }
type Parameter = { name: string; in: string; required: boolean; schema: Schema }
type Operation = {
  operationId: string
  summary: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer>
  security: Record<string, unknown[]>[]
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Answer>; securitySchemes: Record<string, object> }
}

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
let world: World
let clip: string
let document: Document
let operations: { method: string; path: string; operation: Operation }[]

beforeAll(async () => {
  document = (await site.get('/api/openapi.json')).json()
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  world = await makeWorld(site)
  await site.deps.jobs.start()
  clip = join(site.dataFolder, 'clip.mp4')
  await makeClip({ path: clip, seconds: 1 })
})

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
addFormats.default(ajv)

/** A refusal is referred to. */
function answerOf(operation: Operation, status: number | string): Answer | undefined {
  const answer = operation.responses[status]
  const name = answer?.$ref?.replace('#/components/responses/', '')
  return name ? document.components.responses[name] : answer
}

describe('the document', () => {
  test('is OpenAPI 3.1 with a name for each call, and no reference that leads nowhere', () => {
    expect(document.openapi).toBe('3.1.0')
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const { operation } of operations) {
      for (const status of Object.keys(operation.responses)) {
        expect([operation.operationId, answerOf(operation, status)]).not.toContain(undefined)
      }
      for (const scheme of operation.security.flatMap((way) => Object.keys(way))) {
        expect(Object.keys(document.components.securitySchemes)).toContain(scheme)
      }
    }
  })

  test('says of each call what it does, below the noun it is about', () => {
    for (const { operation } of operations) {
      expect([operation.operationId, operation.summary]).toEqual([
        operation.operationId,
        expect.stringMatching(/^[A-Z].+\.$/),
      ])
      expect(operation.tags).toEqual([operation.operationId.split('.')[0]])
    }
  })

  test('names every part of a path as a parameter, with its bounds', () => {
    for (const { path, operation } of operations) {
      const named = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect([path, named.map(({ name }) => name)]).toEqual([path, inPath])
      for (const { name, required, schema } of named) {
        expect(required).toBe(true)
        if (!/id$/i.test(name) || name === 'uploadId') continue
        const bounds = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
        expect(schema).toEqual(bounds)
      }
    }
  })

  test('has only schemas that are ones', () => {
    for (const { operation } of operations) {
      const answers = Object.keys(operation.responses).map((status) => answerOf(operation, status))
      const bodies = [operation.requestBody, ...answers].flatMap((body) =>
        Object.values(body?.content ?? {}).map(({ schema }) => schema),
      )
      const parameters = (operation.parameters ?? []).map(({ schema }) => schema)
      for (const schema of [...bodies, ...parameters]) {
        expect(() => ajv.compile(schema), operation.operationId).not.toThrow()
      }
    }
  })

  test('describes the pages of every list', () => {
    for (const { operation } of operations) {
      const parameters = (operation.parameters ?? []).map(({ name }) => name)
      if (!parameters.includes('cursor')) continue
      expect(parameters).toContain('limit')
      expect(operation.responses[200]?.headers).toHaveProperty('Link')
      expect(operation.responses).toHaveProperty('400')
    }
  })
})

type Asked = {
  as?: Role
  cookie?: string
  token?: string
  url?: string
  body?: object
  form?: Record<string, string | Buffer>
}

const upload = () => ({ uploadId: world.names.upload ?? '' })
const chunk = (bytes: string) => ({
  ...upload(),
  chunkIndex: '0',
  totalChunks: '1',
  chunk: Buffer.from(bytes),
})
const clipDetails = { fileName: 'a.mp4', fileSize: 5, metadata: { title: 'A clip' } }
async function finishedSignIn(): Promise<Asked> {
  const { cookie, code } = await addBegunSignIn(site, { id: Number(world.names.other) })
  return { cookie, body: { code } }
}
async function madeToken(): Promise<Asked> {
  const input = { name: 'ShareX', scope: 'read', days: 30 }
  const call = { as: world.people.owner, name: 'apiToken.create', input }
  return { token: (await askProcedure<{ token: string }>(site, call)).token }
}
const account = () => ({
  username: `${world.names.unique}`,
  email: `${world.names.unique}@example.org`,
  displayName: 'New',
  password: PASSWORD,
})

const clipOf = (range: object) => ({
  ...{ videoId: Number(world.names.publicVideo), title: 'The shot', startSeconds: 1, ...range },
})

const montage = () => ({
  title: 'Best of',
  items: [{ videoId: Number(world.names.video), fromSeconds: 0, toSeconds: 2 }],
  transition: 'fade',
  titleCard: false,
})

const TIMELINE = Buffer.from('{"entries":[{"time":"1000","type":"usermarker"}]}')
const PARTS = [{ fromSeconds: 0, toSeconds: 1 }]

/** A video of the owner's whose recording from before a cut can be brought back. */
async function parkRecording(): Promise<void> {
  const mediaKey = randomBytes(16).toString('hex')
  const userId = Number(world.names.owner)
  const videoUrl = '/media/none/video.mp4'
  const [kept = 0, parked = 0] = await addVideos(site.db, [
    { userId, title: 'Kept', videoUrl },
    { userId, title: 'Parked', videoUrl, processingState: 'deleting', mediaKey },
  ])
  await storeFiles(site, mediaKey, { 'video.mp4': '' })
  world.names.kept = `${kept}`
  await addRows(site.db, 'cuts', {
    videoId: parked,
    sourceVideoId: kept,
    replaces: 1,
    parts: JSON.stringify(PARTS),
    parkedAt: new Date().toISOString(),
    createdAt: new Date().toISOString(),
  })
}

/** For each call one request that succeeds and one that is refused, if any is; without a url, the call's own. */
const EXAMPLES: Record<string, () => [success: Asked | Promise<Asked>, refusal?: Asked]> = {
  health: () => [{}],
  ready: () => [{}],
  'auth.currentUser': () => [{ as: 'owner' }, {}],
  'auth.login': () => [
    { body: { username: `owner-${world.names.unique?.slice(4)}`, password: PASSWORD } },
    { body: { username: 'nobody', password: 'wrong one' } },
  ],
  'auth.finishSignIn': () => [finishedSignIn(), { body: { code: '000000' } }],
  'auth.register': () => [{ body: account() }, { body: { ...account(), email: 'none' } }],
  'auth.logout': () => [{}, { url: '{foreign}' }],
  'user.get': () => [{ as: 'other' }, { url: '/api/users/999999' }],
  'video.list': () => [{ url: '/api/videos?limit=1' }, { url: '/api/videos?limit=0' }],
  'video.get': () => [{}, { url: '/api/videos/{hidden}' }],
  'video.listByCategory': () => [{}, { url: '/api/videos/category/Chess' }],
  'video.listByUser': () => [{ as: 'owner' }, { url: '/api/users/999999/videos' }],
  'video.categories': () => [{}],
  'video.edit': () => [
    { as: 'owner', body: { title: 'New title' } },
    { as: 'other', body: { title: 'New title' } },
  ],
  'video.delete': () => [
    { as: 'owner', url: '/api/videos/{hidden}' },
    { as: 'owner', url: '/api/videos/999999' },
  ],
  'video.thumbnail': () => [
    { as: 'owner', form: { thumbnail: makePng(16, 9) } },
    { as: 'owner', form: { thumbnail: Buffer.from('text') } },
  ],
  'clip.newest': () => [{ url: '/api/clips?limit=1' }, { url: '/api/clips?limit=0' }],
  'clip.bestOfWeek': () => [{}, { url: '/api/clips/best?limit=0' }],
  'clip.search': () => [{ url: '/api/clips/search?q=clip' }, { url: '/api/clips/search?q=' }],
  'clip.mine': () => [{ as: 'owner' }, {}],
  'clip.byId': () => [{ url: '/api/clips/{clip}' }, { url: '/api/clips/999999' }],
  'clip.ofVideo': () => [{ url: '/api/videos/{video}/clips' }, { url: '/api/videos/999999/clips' }],
  'clip.ofChannel': () => [{ url: '/api/users/{owner}/clips' }, { url: '/api/users/999999/clips' }],
  'clip.create': () => [
    { as: 'other', body: clipOf({ endSeconds: 5 }) },
    { as: 'other', body: clipOf({ endSeconds: 1.5 }) },
  ],
  'clip.update': () => [
    { as: 'owner', url: '/api/clips/{clip}', body: { title: 'Better' } },
    { as: 'other', url: '/api/clips/{clip}', body: { title: 'Mine now' } },
  ],
  'clip.like': () => [
    { as: 'other', url: '/api/clips/{clip}/like', body: { isLiked: true } },
    { as: 'other', url: '/api/clips/999999/like', body: { isLiked: true } },
  ],
  'clip.report': () => [
    { url: '/api/clips/{clip}/views', body: { watchedSeconds: 1 } },
    { url: '/api/clips/999999/views', body: { watchedSeconds: 1 } },
  ],
  'clip.makeFile': () => [
    { as: 'other', url: '/api/clips/{clip}/file' },
    { as: 'other', url: '/api/clips/999999/file' },
  ],
  'cut.saveClip': () => [
    site.db
      .updateTable('videos')
      .set({ allowsClipVideos: 1 })
      .where('id', '=', Number(world.names.video))
      .execute()
      .then(() => ({ as: 'other', url: '/api/clips/{clip}/video' })),
    { url: '/api/clips/{clip}/video' },
  ],
  'clip.delete': () => [
    { as: 'owner', url: '/api/clips/{clip}' },
    { as: 'owner', url: '/api/clips/999999' },
  ],
  'comment.list': () => [
    { url: '/api/videos/{publicVideo}/comments' },
    { url: '/api/videos/999999/comments' },
  ],
  'comment.replies': () => [
    { url: '/api/comments/{comment}/replies' },
    { url: '/api/comments/999999/replies' },
  ],
  'reaction.list': () => [
    { url: '/api/videos/{video}/reactions' },
    { url: '/api/videos/{hidden}/reactions' },
  ],
  'reaction.react': () => [
    { as: 'other', url: '/api/videos/{video}/reactions', body: { second: 2, kind: 'gg' } },
    { as: 'other', url: '/api/videos/{video}/reactions', body: { second: -2, kind: 'gg' } },
  ],
  'moment.list': () => [
    { url: '/api/videos/{video}/moments' },
    { url: '/api/videos/{hidden}/moments' },
  ],
  'moment.mark': () => [
    { as: 'other', url: '/api/videos/{video}/moments', body: { atSeconds: 2 } },
    { as: 'other', url: '/api/videos/{video}/moments', body: { atSeconds: -2 } },
  ],
  'moment.forget': () => [
    { as: 'owner', url: '/api/videos/{video}/moments/forgotten', body: { atSeconds: 2 } },
    { as: 'other', url: '/api/videos/{video}/moments/forgotten', body: { atSeconds: 2 } },
  ],
  'moment.addTimeline': () => [
    { as: 'owner', form: { timeline: TIMELINE } },
    { as: 'owner', form: { timeline: Buffer.from('text') } },
  ],
  'moment.removeTimeline': () => [
    site
      .call({
        ...{ as: world.people.owner, method: 'POST' },
        ...{
          url: fill('/api/videos/{video}/moments/timeline'),
          ...multipart({ timeline: TIMELINE }),
        },
      })
      .then(() => ({ as: 'owner', url: '/api/videos/{video}/moments/timeline' })),
    { as: 'other', url: '/api/videos/{video}/moments/timeline' },
  ],
  'moment.unmark': () => [
    { as: 'owner', url: '/api/moments/{moment}' },
    { as: 'other', url: '/api/moments/{moment}' },
  ],
  'comment.create': () => [
    { as: 'other', body: { videoId: Number(world.names.publicVideo), content: 'Nice' } },
    { as: 'other', body: { videoId: Number(world.names.publicVideo), content: ' ' } },
  ],
  'like.set': () => [
    { as: 'other', body: { videoId: Number(world.names.publicVideo), isLike: true } },
    { as: 'other', body: { isLike: true } },
  ],
  'cut.start': () => [
    { as: 'owner', url: '/api/videos/{video}/cut', body: { as: 'new', parts: PARTS } },
    { as: 'owner', url: '/api/videos/{video}/cut', body: { as: 'new', parts: [] } },
  ],
  'cut.state': () => [
    { as: 'owner', url: '/api/videos/{video}/cut' },
    { as: 'other', url: '/api/videos/{video}/cut' },
  ],
  'cut.bringBack': () => [
    parkRecording().then(() => ({ as: 'owner', url: '/api/videos/{kept}/cut/bring-back' })),
    { as: 'owner', url: '/api/videos/{kept}/cut/bring-back' },
  ],
  'cut.forgetOld': () => [
    parkRecording().then(() => ({ as: 'owner', url: '/api/videos/{kept}/cut/old' })),
    { as: 'owner', url: '/api/videos/{kept}/cut/old' },
  ],
  'montage.start': () => [
    { as: 'owner', body: montage() },
    { as: 'owner', body: { ...montage(), items: [] } },
  ],
  'search.videos': () => [{ url: '/api/search?q=video' }, { url: '/api/search?q=' }],
  'shareLink.list': () => [
    { as: 'owner', url: '/api/share-links?videoId={video}' },
    { as: 'other', url: '/api/share-links?videoId={video}' },
  ],
  'shareLink.create': () => [
    { as: 'owner', body: { videoId: Number(world.names.video), note: 'For Ben' } },
    { as: 'owner', body: {} },
  ],
  'shareLink.revoke': () => [
    { as: 'owner', url: '/api/share-links/{shareLink}' },
    { as: 'other', url: '/api/share-links/{shareLink}' },
  ],
  'subscription.create': () => [
    { as: 'other', body: { channelId: Number(world.names.host) } },
    { as: 'other', body: { channelId: Number(world.names.other) } },
  ],
  'subscription.delete': () => [
    { as: 'other', url: '/api/subscriptions/{other}/{host}' },
    { as: 'other', url: '/api/subscriptions/{owner}/{host}' },
  ],
  'notification.list': () => [{ as: 'owner' }, { as: 'other' }],
  'notification.markRead': () => [{ as: 'owner' }, { as: 'other' }],
  'notification.markAllRead': () => [{ as: 'owner' }, { as: 'other' }],
  'notification.delete': () => [{ as: 'owner' }, { as: 'owner' }],
  'apiToken.revokeOwn': () => [madeToken(), { as: 'owner' }],
  'deviceCode.request': () => [{ body: { name: 'clutch on a PC' } }, { body: { name: '' } }],
  'deviceCode.claim': () => [
    addWaitingDevice(site).then((deviceCode) => ({ body: { deviceCode } })),
    { body: { deviceCode: 'BBBB-BBBB.none' } },
  ],
  'upload.suggestDetails': () => [
    { as: 'owner', body: { fileName: 'Rust 2026.11.21 - 22.48.17.03.mp4' } },
    { as: 'owner', body: { fileName: '' } },
  ],
  'upload.listOpen': () => [{ as: 'owner' }, {}],
  'upload.initialize': () => [
    { as: 'other', body: clipDetails },
    { as: 'other', body: { ...clipDetails, fileSize: 0 } },
  ],
  'upload.chunk': () => [
    { as: 'owner', form: chunk('bytes') },
    { as: 'owner', form: chunk('other') },
  ],
  'upload.thumbnail': () => [
    { as: 'owner', form: { ...upload(), thumbnail: makePng(16, 9) } },
    { as: 'owner', form: { ...upload(), thumbnail: Buffer.from('text') } },
  ],
  'upload.complete': () => [
    sendFile(
      { site, as: world.people.owner as NonNullable<World['people']['owner']> },
      { path: clip },
    ).then((uploadId) => ({ as: 'owner', body: { uploadId } })),
    { as: 'other', body: { uploadId: '0'.repeat(32) } },
  ],
  'upload.file': () => [
    readFile(clip).then((file) => ({ as: 'other', form: { title: 'A clip', file } })),
    { as: 'other', form: { title: 'A clip', file: Buffer.from('text') } },
  ],
  'upload.openLink': () => [
    { as: 'owner', url: '/api/uploads/{upload}/link' },
    { as: 'owner', url: `/api/uploads/${'0'.repeat(32)}/link` },
  ],
  'upload.cancel': () => [
    { as: 'owner', url: '/api/uploads/{upload}' },
    { as: 'owner', url: `/api/uploads/${'0'.repeat(32)}` },
  ],
  'settings.avatar': () => [
    { as: 'owner', form: { picture: makePng(16, 16) } },
    { form: { picture: makePng(16, 16) } },
  ],
  'settings.banner': () => [
    { as: 'owner', form: { picture: makePng(16, 9) } },
    { as: 'owner', form: { picture: Buffer.from('text') } },
  ],
}

/** Fills in the parameters of a path for calls whose example does not give them. */
function fill(path: string): string {
  const { names } = world
  const standard: Record<string, string | undefined> = {
    ...names,
    id: path.startsWith('/api/users') ? names.owner : names.video,
    userId: names.owner,
    category: 'Other',
    ...(path.startsWith('/api/notifications') && { id: names.notification }),
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => standard[name] ?? name)
}

function send(
  call: { method: string; path: string },
  { as, cookie, token, url, body, form }: Asked,
): Promise<LightMyRequestResponse> {
  const person = as && world.people[as]
  const foreign = url === '{foreign}'
  const request: InjectOptions = {
    method: call.method.toUpperCase() as 'GET',
    url: fill(foreign ? call.path : (url ?? call.path)),
    ...(body && { payload: body }),
    ...(form && multipart(form)),
    ...(cookie && { headers: { cookie } }),
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
    ...(foreign && { headers: { origin: 'https://elsewhere.example' } }),
  }
  return site.call({ ...request, ...(person && { as: person }) })
}

function expectDocumented(operation: Operation, answer: LightMyRequestResponse): void {
  const described = answerOf(operation, answer.statusCode)
  const about = `${operation.operationId} ${answer.statusCode} ${answer.body.slice(0, 200)}`
  expect(described, about).toBeDefined()
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(described?.content ?? {})
  expect(`${answer.headers['content-type'] ?? ''}`.split(';')[0], about).toBe(type)
  if (!type) return
  const isValid = ajv.compile(schema)
  isValid(type === 'application/json' ? answer.json() : answer.body)
  expect(isValid.errors, about).toBeNull()
}

describe('the server', () => {
  test('asks for a session exactly where the document says so', async () => {
    for (const { method, path, operation } of operations) {
      if (['auth.login', 'auth.finishSignIn'].includes(operation.operationId)) continue
      const { security } = operation
      const needed = security.length > 0 && security.every((way) => Object.keys(way).length > 0)
      const { statusCode } = await send({ method, path }, {})
      expect([operation.operationId, statusCode === 401]).toEqual([operation.operationId, needed])
    }
  })

  test('answers every call as it is described, when it succeeds and when it does not', async () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(names.sort()).toEqual(Object.keys(EXAMPLES).sort())
    for (const [name, example] of Object.entries(EXAMPLES)) {
      const call = operations.find(({ operation }) => operation.operationId === name)
      if (!call) throw new Error(`There is no call ${name}.`)
      const [success, refusal] = example()
      const good = await send(call, await success)
      expect([name, good.statusCode < 300, good.body.slice(0, 100)]).toEqual([
        name,
        true,
        good.body.slice(0, 100),
      ])
      expectDocumented(call.operation, good)
      if (!refusal) continue
      const bad = await send(call, refusal)
      expect([name, bad.statusCode >= 400 && bad.statusCode < 500]).toEqual([name, true])
      expectDocumented(call.operation, bad)
    }
  })
})
