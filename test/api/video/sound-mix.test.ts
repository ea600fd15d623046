import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { tidy } from '#server/janitor.ts'
import type { Playback, ProcessingStatus } from '#shared/schemas/video.schemas.ts'
import type { SoundMix } from '#shared/sound-mix.ts'
import { makeClip, readClip, readTones } from '#test/support/clips.ts'
import { longTest } from '#test/support/long-form.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { changeRows, readRow } from '#test/support/rows.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { listStored, partsOf } from '#test/support/stored-files.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask, call } = callsOf(site)
const { ann, bob } = setUpFileMembers(site, ['ann', 'bob'])
const DAY_MS = 24 * 60 * 60 * 1000
/** Pitches of the tracks of a clip. */
const [GAME, MIC, MUSIC] = [440, 880, 1320]
let clip: string

/** Decibels by track; null for muted. */
const mixOf = (...gains: (number | null)[]): SoundMix => ({
  tracks: gains.map((gainDb, index) => ({
    number: index + 1,
    gainDb: gainDb ?? 0,
    isMuted: gainDb === null,
    isVoice: false,
  })),
  ducks: false,
})

beforeAll(async () => {
  clip = await makeClip({
    path: join(site.dataFolder, 'a.mp4'),
    audioTracks: 3,
    audioHandlers: ['Game', 'Mic', 'Music'],
    seconds: 3,
  })
  await site.deps.jobs.start()
})

async function upload(path = clip): Promise<number> {
  const uploadId = await sendFile({ site, as: ann }, { path, metadata: { title: 'Squad' } })
  const id = (await complete({ site, as: ann }, { uploadId })).json().videoId as number
  await until(async () => (await playback(id)).hlsUrl !== null)
  return id
}

const playback = (id: number) => ask<Playback>(ann, 'video.playback', { id })
const set = (id: number, mix: SoundMix | null, as = ann) =>
  call(as, 'video.setSoundMix', { id, mix })
async function isMixed(id: number) {
  const work = async () => (await ask<ProcessingStatus>(ann, 'video.processingStatus', { id })).mix
  await until(async () => (await work())?.state === 'done')
}
async function save(id: number, mix: SoundMix | null) {
  expect((await set(id, mix)).statusCode).toBe(200)
  await isMixed(id)
}

/** The loudness of each track in a file, against the game as it was recorded. */
async function tonesIn(url: string | null) {
  const path = join(site.dataFolder, 'heard.mp4')
  const { statusCode, rawPayload } = await site.get(`${url}`)
  expect(statusCode).toBe(200)
  await writeFile(path, rawPayload)
  return readTones(path, [GAME, MIC, MUSIC])
}
const decibels = (level = 0, of = 1) => Math.round(20 * Math.log10(level / of)) + 0

test("the owner's mix is what the video, its stream and the file for chats begin with, and can be taken back", async () => {
  const id = await upload()
  const before = await playback(id)
  expect(before.soundMix).toBeNull()
  const [own = 1, silent = 1] = await tonesIn(before.videoUrl)
  expect(silent).toBeLessThan(own / 300)

  await save(id, mixOf(-6, 6, null))
  const mixed = await playback(id)
  expect(mixed.soundMix).toEqual(mixOf(-6, 6, null))
  for (const url of [mixed.videoUrl, mixed.shareUrl]) {
    const [game, mic, music = 1] = await tonesIn(url)
    expect([decibels(game, own), decibels(mic, own)]).toEqual([-6, 6])
    expect(music).toBeLessThan(own / 300)
  }
  const master = await site.get(`${mixed.hlsUrl}`)
  const sounds = master.body.split('\n').filter((line) => line.includes('TYPE=AUDIO'))
  expect(sounds.map((line) => /NAME="(\w+)",DEFAULT=(\w+)/.exec(line)?.slice(1))).toEqual([
    ['Mix', 'YES'],
    ['Game', 'NO'],
    ['Mic', 'NO'],
    ['Music', 'NO'],
  ])
  expect(mixed.soundTracks.map(({ number }) => number)).toEqual([1, 2, 3])
  const [first] = await tonesIn(mixed.soundTracks[0]?.url ?? '')
  expect(decibels(first, own)).toBe(0)

  await save(id, mixOf(0, null, 0))
  const [, , music] = await tonesIn((await playback(id)).videoUrl)
  expect(decibels(music, own)).toBe(0)
  const path = join(site.dataFolder, 'heard.mp4')
  expect((await readClip(path)).sounds).toHaveLength(4)

  await save(id, null)
  const after = await playback(id)
  expect(after).toMatchObject({ soundMix: null, soundTracks: before.soundTracks })
  const [game, mic = 1] = await tonesIn(after.videoUrl)
  expect(decibels(game, own)).toBe(0)
  expect(mic).toBeLessThan(own / 300)
  expect((await readClip(path)).sounds).toHaveLength(3)
})

test('a clip gets its file again, and a cut has the mix and its settings', async () => {
  const id = await upload()
  const [own = 1] = await tonesIn((await playback(id)).videoUrl)
  const made = await site.post('/api/clips', {
    payload: { videoId: id, title: 'Ace', startSeconds: 0.5, endSeconds: 2.5 },
    as: ann,
  })
  const clipId = made.json().id as number
  const clipFile = async () =>
    (await site.get(`/api/clips/${clipId}`, { as: ann })).json().shareUrl as string | null
  await until(async () => (await clipFile()) !== null)
  await save(id, mixOf(-12, 0, null))
  await until(async () => (await clipFile()) !== null)
  const [game, mic] = await tonesIn(await clipFile())
  expect([decibels(game, own), decibels(mic, own)]).toEqual([-12, 0])

  const cut = await site.post(`/api/videos/${id}/cut`, {
    payload: { parts: [{ fromSeconds: 0.5, toSeconds: 2 }], as: 'new' },
    as: ann,
  })
  const cutId = cut.json().videoId as number
  await until(async () => (await playback(cutId)).hlsUrl !== null)
  const { videoUrl, soundMix, soundTracks, soundNames } = await playback(cutId)
  expect(soundMix).toEqual(mixOf(-12, 0, null))
  expect(soundTracks.map(({ number }) => number)).toEqual([1, 2, 3])
  expect(soundNames.map(({ name }) => name)).toEqual(['Game', 'Mic', 'Music'])
  const [cutGame, cutMic] = await tonesIn(videoUrl)
  expect([decibels(cutGame, own), decibels(cutMic, own)]).toEqual([-12, 0])
  await save(cutId, mixOf(0, null, null))
  const [alone] = await tonesIn((await playback(cutId)).videoUrl)
  expect(decibels(alone, own)).toBe(0)
})

longTest('replaced files go after a day, and everything goes with the video', async () => {
  const id = await upload()
  const [mediaKey] = partsOf(`${(await playback(id)).videoUrl}`)
  const stored = () => listStored(site.deps, mediaKey)
  const before = (await stored()).length
  await save(id, mixOf(0, 0, 0))
  await save(id, mixOf(0, 0, 3))
  await site.db
    .updateTable('mediaFiles')
    .set({ retiredAt: new Date(Date.now() - 2 * DAY_MS).toISOString() })
    .where('retiredAt', 'is not', null)
    .execute()
  await tidy({ ...site.deps, log: site.log }, new Set())
  const rows = await readRow(site.db, 'videos', { id })
  // The mix adds a sound with its playlist, and the first track as a file.
  expect((await stored()).length).toBe(before + 3)
  const bytes = await Promise.all(
    (await stored()).map(
      async (name) => (await site.media.stat(`media/${mediaKey}/${name}`))?.bytes ?? 0,
    ),
  )
  expect(rows.storageBytes).toBe(bytes.reduce((sum, one) => sum + one, 0))
  await site.delete(`/api/videos/${id}`, { as: ann })
  await until(async () => (await stored()).length === 0)
})

longTest('a mix saved while another is made is what remains', async () => {
  const id = await upload()
  for (const mix of [mixOf(0, 0, null), mixOf(0, 0, 0), mixOf(-3, 0, 3)]) {
    expect((await set(id, mix)).statusCode).toBe(200)
  }
  await until(async () => {
    const { soundMix } = await playback(id)
    return soundMix?.tracks[0]?.gainDb === -3
  })
})

test('wrong mixes are refused with a sentence, and change nothing', async () => {
  const id = await upload()
  const refused = async (mix: SoundMix | null, as = ann) => {
    const { statusCode, body } = await set(id, mix, as)
    return [statusCode, JSON.parse(body).error?.message]
  }
  expect((await refused(mixOf(0, 0, 0), bob))[0]).toBe(403)
  expect(await refused(mixOf(0, 0))).toEqual([
    400,
    'The mix names other tracks than the video has. Reload the page.',
  ])
  expect(await refused(mixOf(null, null, null))).toEqual([
    400,
    'At least one track of the mix has to be heard.',
  ])
  expect((await refused(mixOf(0, 13, 0)))[0]).toBe(400)
  const alone = await upload(
    await makeClip({ path: join(site.dataFolder, 'alone.mp4'), seconds: 1 }),
  )
  expect((await set(alone, mixOf(0, 0))).statusCode).toBe(404)
  await changeRows(site.db, 'videos', { where: { id: alone }, values: { hlsUrl: null } })
  expect((await set(alone, mixOf(0, 0))).statusCode).toBe(409)
  expect((await playback(id)).soundMix).toBeNull()
})

longTest(
  'of seven tracks the first six are mixed, of a mono recording both sides hear them',
  async () => {
    const path = await makeClip({
      path: join(site.dataFolder, 'seven.mkv'),
      ...{ audioTracks: 7, channels: 1, seconds: 2, sampleRate: 44_100 },
      soundGains: [0, -200],
    })
    const id = await upload(path)
    expect((await set(id, mixOf(0, 0, 0, 0, 0, 0, 0))).statusCode).toBe(400)
    const [own = 1] = await tonesIn((await playback(id)).videoUrl)
    await save(id, mixOf(-6, 0, -6, null, null, null))
    const { videoUrl, soundTracks } = await playback(id)
    expect(soundTracks).toHaveLength(7)
    const [first, silent, third] = await tonesIn(videoUrl)
    expect([decibels(first, own), decibels(third, own)]).toEqual([-6, -6])
    expect(silent).toBeLessThan(own / 300)
  },
)
