import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Playback } from '#shared/schemas/video.schemas.ts'
import { makeClip, readClip } from '#test/support/clips.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask, call } = callsOf(site)
const { ann } = setUpFileMembers(site, ['ann'])
let id: number

const playback = (as?: TestMember) => ask<Playback>(as, 'video.playback', { id })
const statusOf = async (as: TestMember, input: object) =>
  (await call(as, 'video.setSoundKind', { id, ...input })).statusCode

beforeAll(async () => {
  const path = await makeClip({
    path: join(site.dataFolder, 'a.mkv'),
    audioTracks: 3,
    audioTitles: ['Game', 'Microphone', 'Anna of the squad'],
    seconds: 1,
  })
  const uploadId = await sendFile({ site, as: ann }, { path, metadata: { title: 'Squad' } })
  id = (await complete({ site, as: ann }, { uploadId })).json().videoId
  await site.deps.jobs.start()
  await until(async () => (await playback(ann)).soundTracks.length === 2)
})

test('sound tracks keep the names that recorders give them, but none that may be of a person', async () => {
  const { soundNames, hlsUrl } = await playback()
  expect(soundNames).toEqual([
    { number: 1, name: 'Game', kind: null },
    { number: 2, name: 'Microphone', kind: null },
    { number: 3, name: null, kind: null },
  ])
  const master = await site.get(`${hlsUrl}`)
  expect(master.body).toContain('NAME="Microphone"')
  expect(master.body).not.toContain('Anna')
})

test('a silent first track is neither what plays by itself nor what chats get, and can still be chosen', async () => {
  const path = await makeClip({
    path: join(site.dataFolder, 'b.mp4'),
    audioTracks: 2,
    audioHandlers: ['System sounds', 'Microphone'],
    soundGains: [-200, 0],
    seconds: 1,
  })
  const uploadId = await sendFile({ site, as: ann }, { path, metadata: { title: 'Quiet game' } })
  const { videoId } = (await complete({ site, as: ann }, { uploadId })).json()
  const read = () => ask<Playback>(ann, 'video.playback', { id: videoId })
  await until(async () => (await read()).soundTracks.length === 1)
  const { soundNames, hlsUrl, shareUrl } = await read()
  expect(soundNames.map(({ name }) => name)).toEqual(['Microphone', 'System sounds'])
  const master = await site.get(`${hlsUrl}`)
  expect(master.body).toMatch(/NAME="Microphone",.*DEFAULT=YES/)
  const shared = join(site.dataFolder, 'shared.mp4')
  await writeFile(shared, (await site.get(`${shareUrl}`)).rawPayload)
  const [first, second] = (await readClip(shared)).sounds
  // Silence takes an encoder next to nothing.
  expect(first?.bytes).toBeGreaterThan(4 * (second?.bytes ?? 0))
})

test('the owner alone says what a track is of, and may take it back', async () => {
  const bob = await site.addMember('bob')
  expect(await statusOf(bob, { number: 3, kind: 'chat' })).toBe(403)
  expect(await statusOf(ann, { number: 4, kind: 'chat' })).toBe(404)
  expect(await statusOf(ann, { number: 3, kind: 'noise' })).toBe(400)
  expect(await statusOf(ann, { number: 3, kind: 'chat' })).toBe(200)
  expect((await playback()).soundNames[2]).toEqual({ number: 3, name: null, kind: 'chat' })
  expect(await statusOf(ann, { number: 3, kind: null })).toBe(200)
  expect((await playback()).soundNames[2]).toEqual({ number: 3, name: null, kind: null })
})

test('what was chosen in another tab meanwhile is told, and stays', async () => {
  expect(await statusOf(ann, { number: 2, kind: 'chat', was: null })).toBe(200)
  expect(await statusOf(ann, { number: 2, kind: 'music', was: null })).toBe(409)
  const { soundNames } = await playback(ann)
  expect(soundNames.find(({ number }) => number === 2)?.kind).toBe('chat')
})
