import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import type { Game } from '#shared/schemas/desk/site.schemas.ts'
import type { GamePage } from '#shared/schemas/home.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { makePng } from '#test/support/png.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { listRows } from '#test/support/rows.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpAdmin } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { multipart } from '#test/support/upload-client.ts'

const EIGHT = ['Rust', 'CS2', 'Rainbow Six', 'GTA', 'Tarkov', 'FiveM', 'Minecraft', 'Other']

const site = setUpTestSite()
const admin = setUpAdmin(site)
const { ask, refusal } = callsOf(site)
let ann: TestMember

beforeAll(async () => {
  ann = await site.addMember('ann')
})

const games = () => ask<Game[]>(admin, 'site.games')
const categories = async () => (await site.get('/api/categories')).json<string[]>()
const settings = () =>
  ask<{ categories: string[]; archivedCategories: string[]; categoryColours: object }>(
    undefined,
    'site.settings',
  )

test('admins add games after the eight built-in ones, order them and give them colours', async () => {
  for (const name of ['Chess', 'Apex Legends', 'Valorant'])
    await ask(admin, 'site.addGame', { name })
  await ask(admin, 'site.orderGames', { names: ['Valorant', 'Chess', 'Apex Legends'] })
  expect(await categories()).toEqual([...EIGHT, 'Valorant', 'Chess', 'Apex Legends'])
  await ask(admin, 'site.editGame', { name: 'Chess', colour: '#3366cc' })
  expect((await settings()).categoryColours).toEqual({ Chess: '#3366cc' })
  expect((await games())[9]).toMatchObject({ name: 'Chess', isBuiltIn: false, colour: '#3366cc' })
  await ask(admin, 'site.editGame', { name: 'Chess', colour: null })
  expect((await settings()).categoryColours).toEqual({})
})

test('invalid changes of games are refused with an explanation', async () => {
  const add = (name: string) => refusal(admin, 'site.addGame', { name })
  expect(await add('chess')).toBe('400 Every game needs a name of its own.')
  expect(await add('A "b"')).toMatch(/^400 A game has letters/)
  const order = (names: string[]) => refusal(admin, 'site.orderGames', { names })
  const meanwhile = '409 The games have changed meanwhile. Please look again.'
  expect(await order(['Valorant', 'Chess'])).toBe(meanwhile)
  expect(await order(['Valorant', 'Chess', 'Chess'])).toBe(meanwhile)
  expect(await order(['Valorant', 'Chess', 'Rust'])).toBe(meanwhile)
  const eight = '409 Rust is built in and cannot be changed.'
  expect(await refusal(admin, 'site.editGame', { name: 'Rust', isArchived: true })).toBe(eight)
  expect(await refusal(admin, 'site.removeGame', { name: 'Rust' })).toBe(eight)
  expect(await refusal(admin, 'site.editGame', { name: 'Chess', colour: 'red' })).toBe(
    '400 A game has a colour like #4a8fd0.',
  )
  expect(await refusal(admin, 'site.editGame', { name: 'Go', colour: null })).toMatch(/^404/)
})

test('an archived game cannot be chosen, while its videos stay and are found', async () => {
  const id = await site.addVideo(ann, { category: 'Chess', title: 'Queen sacrifice' })
  await ask(admin, 'site.editGame', { name: 'Chess', isArchived: true })
  expect(await categories()).toEqual([...EIGHT, 'Valorant', 'Apex Legends'])
  expect(await settings()).toMatchObject({
    categories: [...EIGHT, 'Valorant', 'Apex Legends'],
    archivedCategories: ['Chess'],
  })
  const tiles = await ask<{ name: string }[]>(undefined, 'explore.games')
  expect(tiles.map(({ name }) => name)).not.toContain('Chess')
  expect((await site.get('/api/videos/category/Chess')).json()).toMatchObject([{ id }])
  expect((await site.get('/feeds/game/Chess.xml')).statusCode).toBe(200)
  const found = await site.get('/api/search?q=queen&category=Chess')
  expect(found.json()).toMatchObject([{ id, category: 'Chess' }])
  const page = await ask<GamePage>(undefined, 'home.game', { category: 'Chess' })
  expect(page).toMatchObject({ isArchived: true, videoCount: 1 })
  // A video keeps its archived game, but no other video can be given it.
  await ask(ann, 'video.edit', { id, title: 'Queen’s gambit', category: 'Chess' })
  const other = await site.addVideo(ann)
  expect(await refusal(ann, 'video.edit', { id: other, category: 'Chess' })).toBe(
    '400 Chess is archived and takes no new videos.',
  )
  const upload = await site.post('/api/uploads/initialize', {
    as: ann,
    payload: { fileName: 'a.mp4', fileSize: 5, metadata: { title: 'A game', category: 'Chess' } },
  })
  expectSentence(upload, { status: 400, naming: 'Chess is archived' })
  const unknown = await refusal(ann, 'video.edit', { id: other, category: 'Go' })
  expect(unknown).toBe('400 category is not one of the categories.')
  await ask(admin, 'site.editGame', { name: 'Chess', isArchived: false })
  expect(await categories()).toContain('Chess')
})

test('an upload that began before its game was archived goes on, and so does a replacement', async () => {
  const file = { fileName: 'a.mp4', fileSize: 5 }
  const metadata = { title: 'A game', category: 'Chess' }
  const open = (more: object) =>
    site.post('/api/uploads/initialize', { as: ann, payload: { ...file, metadata, ...more } })
  const id = await site.addVideo(ann, { category: 'Chess' })
  const { uploadId } = (await open({})).json<{ uploadId: string }>()
  await ask(admin, 'site.editGame', { name: 'Chess', isArchived: true })
  const resumed = await open({ resumeUploadId: uploadId })
  expect([resumed.statusCode, resumed.json()]).toMatchObject([200, { uploadId }])
  expectSentence(await open({ resumeUploadId: uploadId, fileSize: 6 }), { status: 400 })
  expect((await open({ replacesVideoId: id })).statusCode).toBe(201)
  await ask(admin, 'site.editGame', { name: 'Chess', isArchived: false })
})

test('a file that is sent while its game is archived becomes a video of that game', async () => {
  const clip = await makeClip({ path: join(site.dataFolder, 'clip.mp4'), seconds: 1 })
  const form = multipart({ category: 'Chess', file: await readFile(clip) })
  const half = Math.floor(form.payload.length / 2)
  async function* sendHalves() {
    yield form.payload.subarray(0, half)
    await until(async () => (await listRows(site.db, 'uploads', { fileName: 'blob' })).length > 0)
    await ask(admin, 'site.editGame', { name: 'Chess', isArchived: true })
    yield form.payload.subarray(half)
  }
  const sent = await site.post('/api/uploads/file', {
    ...{ as: ann, payload: Readable.from(sendHalves()) },
    headers: { ...form.headers, 'content-length': String(form.payload.length) },
  })
  expect(sent.statusCode).toBe(201)
  expect(await listRows(site.db, 'videos', { id: sent.json().videoId })).toMatchObject([
    { category: 'Chess' },
  ])
  await ask(admin, 'site.editGame', { name: 'Chess', isArchived: false })
})

test('the picture of a game is stored as JPEG, shown on its page and deleted with the game', async () => {
  const picture = makePng(640, 360)
  const send = (as: TestMember, category: string, bytes = picture) =>
    site.post('/api/site/art', { as, ...multipart({ category, picture: bytes }) })
  expectSentence(await send(ann, 'Rust'), { status: 403 })
  expectSentence(await send(admin, 'Go'), { status: 404, naming: 'no such game' })
  expectSentence(await send(admin, 'Rust', Buffer.from('no picture')), { status: 415 })
  const first = (await send(admin, 'Chess')).json<{ url: string }>().url
  const second = (await send(admin, 'Chess')).json<{ url: string }>().url
  expect(second).not.toBe(first)
  expect((await site.get(first)).statusCode).toBe(404)
  const served = await site.get(second)
  expect(served.headers['content-type']).toBe('image/jpeg')
  const page = await ask<GamePage>(undefined, 'home.game', { category: 'Chess' })
  expect(page.picture).toEqual({ url: second, isArt: true })
  const rust = (await send(admin, 'Rust')).json<{ url: string }>().url
  await ask(admin, 'site.removeGameArt', { name: 'Rust' })
  expect((await site.get(rust)).statusCode).toBe(404)
  await ask(admin, 'site.removeGame', { name: 'Chess' })
  expect((await site.get(second)).statusCode).toBe(404)
  expect(await site.db.selectFrom('gameLooks').select('category').execute()).toEqual([
    { category: 'Rust' },
  ])
})

test('visitors can read the sentence about the site, which has at most 200 characters', async () => {
  await ask(admin, 'site.edit', { welcome: ' Clips of our Friday nights. ' })
  expect(await settings()).toMatchObject({ welcome: 'Clips of our Friday nights.' })
  expect(await refusal(admin, 'site.edit', { welcome: 'a'.repeat(201) })).toBe(
    '400 The sentence for visitors must be at most 200 characters.',
  )
})
