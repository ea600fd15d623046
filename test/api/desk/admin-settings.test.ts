import { beforeEach, describe, expect, test } from 'vitest'
import { listLocalHosts } from '#server/platform/site/site.service.ts'
import type { AdminSettings } from '#shared/schemas/desk/site.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { makePng } from '#test/support/png.ts'
import { callProcedure, callsOf } from '#test/support/procedure-call.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpAdmin } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { multipart } from '#test/support/upload-client.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site)
let ann: TestMember

let round = 0
beforeEach(async () => {
  ann = await site.addMember(`ann${++round}`)
})

const { ask, refusal } = callsOf(site)
const edit = (change: object) => ask<AdminSettings>(admin, 'site.edit', change)
const refusalOf = (change: object) => refusal(admin, 'site.edit', change)

test('a fresh site says what the specification says', async () => {
  expect(await ask(undefined, 'site.settings')).toMatchObject({
    name: 'Clutch',
    tagline: 'Your video sharing platform',
    accent: null,
    logoUrl: null,
    hasRules: false,
    registration: 'open',
    anonymousByDefault: false,
    discordEmbedByDefault: true,
  })
})

test('what is set is what everybody reads, and the log says which settings changed', async () => {
  const rules = 'Be kind.\n\n- No ads'
  await edit({ tagline: 'Clips of ours', accent: '#ff8800', rules })
  expect(await ask(undefined, 'site.settings')).toMatchObject({
    tagline: 'Clips of ours',
    accent: '#ff8800',
    hasRules: true,
  })
  expect(await ask(undefined, 'site.rules')).toEqual({ text: rules })
  const { items } = await ask<{ items: object[] }>(admin, 'audit.list', { action: 'site.edit' })
  expect(items[0]).toMatchObject({ targetName: 'tagline, accent, rules' })
  await edit({ accent: null, rules: '' })
})

test('the level of new videos and who may see the site are for everybody to know', async () => {
  await edit({ defaultVisibility: 'members', audience: 'members' })
  expect(await ask(undefined, 'site.settings')).toMatchObject({
    defaultVisibility: 'members',
    audience: 'members',
  })
  await edit({ defaultVisibility: 'public', audience: 'everybody' })
  expect(await refusalOf({ audience: 'friends' })).toMatch(/^400/)
})

test('wrong values are refused with a sentence', async () => {
  expect(await refusalOf({ accent: 'red' })).toBe('400 The accent must be a colour like #c8ff3e.')
  expect(await refusalOf({ registration: 'maybe' })).toMatch(/^400/)
  expect(await refusalOf({ maxVideoBytes: 524_288_001 })).toMatch(
    /^400 .*must be at most 524288000/,
  )
  expect(await refusalOf({ backupHour: 24 })).toMatch(/^400 .*from 0 to 23/)
  expect(await refusalOf({ extraCategories: ['rust'] })).toBe(
    '400 Every game needs a name of its own.',
  )
  expect(await refusalOf({ extraCategories: ['A "b"'] })).toMatch(/^400 A game has letters/)
})

test('hosts on the local network are tidied, and wrong lines refused with a sentence', async () => {
  const { localHosts } = await edit({
    localHosts: [' Auth.LAN ', '10.0.0.5:9000', 'auth.lan', 'fd00::1'],
  })
  expect(localHosts).toEqual(['auth.lan', '10.0.0.5:9000', '[fd00::1]'])
  expect(await listLocalHosts(site)).toEqual(localHosts)
  for (const line of ['*.lan', 'https://auth.lan', 'auth.lan:99999']) {
    expect(await refusalOf({ localHosts: ['auth.lan', line] })).toBe(
      `400 Not a host: ${line}. Enter names or IP addresses, with or without a port, but no https:// and no wildcards.`,
    )
  }
  const many = Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`)
  expect(await refusalOf({ localHosts: many })).toBe('400 The list has at most 50 hosts.')
  const { items } = await ask<{ items: object[] }>(admin, 'audit.list', { action: 'site.edit' })
  expect(items[0]).toMatchObject({ targetName: 'localHosts' })
  await edit({ localHosts: [] })
})

test('limits within what the environment allows are the ones that count', async () => {
  await edit({ maxVideoBytes: 5000 })
  const open = (fileSize: number) =>
    site.post('/api/uploads/initialize', {
      as: ann,
      payload: { fileName: 'a.mp4', fileSize, metadata: { title: 'A clip' } },
    })
  expectSentence(await open(5001), { status: 413, naming: 'larger than 5KB' })
  expect((await open(5000)).statusCode).toBe(201)
  expect(await ask(undefined, 'site.settings')).toMatchObject({ maxVideoBytes: 5000 })
  await edit({ maxVideoBytes: null })
  expect((await open(5001)).statusCode).toBe(201)
})

describe('categories of one’s own', () => {
  test('come after the eight, can be chosen, and leave their videos in Other', async () => {
    const { categories } = await edit({ extraCategories: ['Apex Legends', 'Chess'] })
    expect(categories.slice(7)).toEqual(['Other', 'Apex Legends', 'Chess'])
    expect((await site.get('/api/categories')).json()).toEqual(categories)
    const id = await site.addVideo(ann)
    const video = await ask<Video>(ann, 'video.edit', { id, category: 'Chess' })
    expect(video.category).toBe('Chess')
    const listed = await site.get('/api/videos/category/Chess')
    expect(listed.json()).toMatchObject([{ id }])
    const games = await ask<{ name: string; videoCount: number }[]>(undefined, 'explore.games')
    expect(games.at(-1)).toMatchObject({ name: 'Chess', videoCount: 1 })
    await edit({ extraCategories: ['Apex Legends'] })
    expect(await ask(undefined, 'video.get', { id })).toMatchObject({ category: 'Other' })
    const gone = await site.get('/api/videos/category/Chess')
    expect(gone.statusCode).toBe(404)
    const choice = { as: ann, name: 'video.edit', input: { id, category: 'Chess' } }
    expect((await callProcedure(site, choice)).statusCode).toBe(400)
  })
})

test('an upload that leaves it open is as anonymous as the site says', async () => {
  await edit({ anonymousByDefault: true })
  const open = async (metadata: object) => {
    const answer = await site.post('/api/uploads/initialize', {
      as: ann,
      payload: { fileName: 'a.mp4', fileSize: 5, metadata: { title: 'A clip', ...metadata } },
    })
    const id = answer.json().uploadId
    const query = site.db.selectFrom('uploads').select('isAnonymous').where('id', '=', id)
    return (await query.executeTakeFirstOrThrow()).isAnonymous
  }
  expect(await open({})).toBe(1)
  expect(await open({ isAnonymous: false })).toBe(0)
  await edit({ anonymousByDefault: false })
  expect(await open({})).toBe(0)
})

test('a logo is rewritten, served to everybody, and gone when it is removed', async () => {
  const picture = makePng(600, 300)
  const send = (as: TestMember, bytes: Buffer) =>
    site.post('/api/site/logo', { as, ...multipart({ picture: bytes }) })
  expectSentence(await send(ann, picture), { status: 403 })
  expectSentence(await send(admin, Buffer.from('no picture')), { status: 415 })
  const { url } = (await send(admin, picture)).json()
  expect(await ask(undefined, 'site.settings')).toMatchObject({ logoUrl: url })
  const served = await site.get(url)
  expect(served.statusCode).toBe(200)
  expect(served.headers['content-type']).toBe('image/png')
  expect(served.rawPayload.equals(picture)).toBe(false)
  await ask(admin, 'site.removeLogo')
  expect(await ask(undefined, 'site.settings')).toMatchObject({ logoUrl: null })
  expect((await site.get(url)).statusCode).toBe(404)
})
