import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeBackup } from '#server/desk/backup/make-backup.ts'
import { checkSite } from '#server/desk/site-check/file-check.ts'
import { SOURCE_FILE } from '#server/platform/files/media-store.ts'
import { mediaAddress } from '#server/platform/files/open-media-store.ts'
import { readCaptions } from '#server/video/caption-text/read-captions.ts'
import { makeClip } from '#test/support/clips.ts'
import { countTurns } from '#test/support/count-turns.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { readRow } from '#test/support/rows.ts'
import { expectSentence } from '#test/support/sentence.ts'
import { setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { isOnPostgres } from '#test/support/site-database.ts'
import { storedBytes } from '#test/support/stored-bytes.ts'
import { listStored, partsOf, readStored, removeStored } from '#test/support/stored-files.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { complete, multipart, sendFile } from '#test/support/upload-client.ts'

type Track = { id: number; language: string; label: string; url: string }
const SRT = Buffer.from('1\n00:00:00,500 --> 00:00:01,000\n<font color=red>Hello</font>\n')

const site = setUpTestSite()
const { ask, call } = callsOf(site)
const { ann, bob } = setUpFileMembers(site, ['ann', 'bob'])
let id: number

beforeAll(async () => {
  const path = await makeClip({ path: join(site.dataFolder, 'clip.mp4'), seconds: 1 })
  const uploadId = await sendFile({ site, as: ann }, { path })
  id = (await complete({ site, as: ann }, { uploadId })).json().videoId
})
beforeEach(async () => {
  for (const track of await list()) await remove(track.id)
})

const list = async (as?: TestMember, video = id) =>
  (await ask<{ captions: Track[] }>(as, 'video.playback', { id: video })).captions
const send = (fields: Record<string, string | number | Buffer>, as = ann, video = id) =>
  site.post(`/api/videos/${video}/captions`, { as, ...multipart({ captions: SRT, ...fields }) })
const remove = (captionsId: number, as = ann) => call(as, 'caption.delete', { id: captionsId })
const edit = (input: object, as = ann) => call(as, 'caption.edit', input)
const get = (url: string, as?: TestMember) => site.get(url, { ...(as && { as }) })

/** The rows are the stored files except the upload itself, and `storageBytes` is the size of all of them. */
async function expectBooked(video = id): Promise<void> {
  const { mediaKey, storageBytes } = await readRow(site.db, 'videos', { id: video })
  const names = await listStored(site, mediaKey)
  const rows = await site.db
    .selectFrom('mediaFiles')
    .select('name')
    .where('videoId', '=', video)
    .execute()
  expect(rows.map(({ name }) => name).sort()).toEqual(names.filter((name) => name !== SOURCE_FILE))
  expect(storageBytes).toBe(await storedBytes(site.media, mediaKey))
  expect(await readdir(site.disk.folders.work)).toEqual([])
}

test('captions are read, rewritten as WebVTT, and served to whoever may see the video', async () => {
  const answer = await send({ language: 'PT-br' })
  expect(answer.statusCode).toBe(200)
  const track = answer.json<Track>()
  expect(track).toMatchObject({ language: 'pt-BR', label: 'Brazilian Portuguese' })
  expect(await list()).toEqual([track])
  const file = await get(track.url)
  expect(file.headers).toMatchObject({
    'content-type': 'text/vtt; charset=utf-8',
    'cache-control': 'public, max-age=31536000, s-maxage=60, immutable',
  })
  expect(file.body).toBe('WEBVTT\n\n00:00:00.500 --> 00:00:01.000\nHello\n')
  await expectBooked()

  await site.db.updateTable('videos').set({ contentApproved: 0 }).where('id', '=', id).execute()
  expect((await get(track.url)).statusCode).toBe(404)
  expect((await get(track.url, bob)).statusCode).toBe(404)
  expect((await get(track.url, ann)).headers['cache-control']).toBe('private, no-cache')
  expectSentence(await send({ language: 'de' }, bob), { status: 404 })
  expect((await remove(track.id, bob)).statusCode).toBe(404)
  await site.db.updateTable('videos').set({ contentApproved: 1 }).where('id', '=', id).execute()
})

test('a video has several, which are replaced, renamed and deleted one by one', async () => {
  const english = (await send({ language: 'en' })).json<Track>()
  const forDeaf = (await send({ language: 'en', label: 'English (CC)' })).json<Track>()
  expect((await list()).map(({ label }) => label)).toEqual(['English', 'English (CC)'])
  const vtt = Buffer.from('WEBVTT\n\n00:00.100 --> 00:00.200\nAgain\n')
  const fields = { language: 'en-GB', label: 'English', captionsId: english.id, captions: vtt }
  const replaced = (await send(fields)).json<Track>()
  expect(replaced).toMatchObject({ id: english.id, language: 'en-GB', label: 'English' })
  const again = (await send({ captionsId: english.id, captions: vtt })).json<Track>()
  expect(again).toMatchObject({ id: english.id, language: 'en-GB', label: 'English' })
  expect(replaced.url).not.toBe(english.url)
  expect((await get(english.url)).statusCode).toBe(404)
  expect(await readStored(site, ...partsOf(english.url))).toBeUndefined()
  expect((await get(again.url)).body).toContain('Again')

  expect((await edit({ id: forDeaf.id, language: 'de', label: '' })).json().result.data).toEqual({
    ...forDeaf,
    language: 'de',
    label: 'German',
  })
  await remove(forDeaf.id)
  expect((await get(forDeaf.url)).statusCode).toBe(404)
  expect((await remove(forDeaf.id)).statusCode).toBe(404)
  expect(await list()).toEqual([again])
  await expectBooked()
})

test('cues that end before they start are left out, and the answer says so', async () => {
  const captions = Buffer.from(
    `WEBVTT\n\n00:01.000 --> 00:00.500\nNo\n\n00:01.000 --> 00:02.000\nHi\n`,
  )
  const answer = await send({ language: 'en', captions })
  expect(answer.json()).toMatchObject({
    notice: 'One caption was left out: line 3 ends at 00:00.500, which is not after its beginning.',
  })
  expect((await get(answer.json<Track>().url)).body).toBe(
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHi\n',
  )
})

test('what cannot be read is refused by line, and leaves nothing', async () => {
  const broken = Buffer.from('WEBVTT\n\n00:01.000 --> 00:00.500\nHi\n')
  const answer = await send({ language: 'en', captions: broken })
  expectSentence(answer, { status: 422 })
  expect(answer.body).toContain('Line 3 ends at 00:00.500')
  expectSentence(await send({ language: 'en', captions: Buffer.alloc(1024 * 1024 + 1, 'a') }), {
    status: 413,
  })
  expectSentence(await send({ language: 'en', captions: Buffer.alloc(0) }), { status: 400 })
  expectSentence(await send({ language: 'no language' }), { status: 400 })
  expectSentence(await send({}), { status: 400 })
  expectSentence(await send({ language: 'en-u-ca-buddhist' }), { status: 400 })
  expectSentence(await send({ language: 'en', label: 'x'.repeat(61) }), { status: 400 })
  expectSentence(await send({ language: 'en', label: 'a\u202eb' }), { status: 400 })
  expectSentence(await send({}), { status: 400 })
  expectSentence(await send({ language: 'en', captionsId: 999 }), { status: 404 })
  expectSentence(await send({ language: 'en' }, ann, 999), { status: 404 })
  expect(await list()).toEqual([])
  await expectBooked()
})

test('two cannot be called the same, and there are at most twenty', async () => {
  const { id: first } = (await send({ language: 'en', label: 'First' })).json<Track>()
  expectSentence(await send({ language: 'de', label: 'First' }), { status: 409 })
  for (let count = 1; count < 20; count++) {
    expect((await send({ language: 'en', label: `Take ${count}` })).statusCode).toBe(200)
  }
  expectSentence(await send({ language: 'en', label: 'One more' }), { status: 409 })
  expect((await edit({ id: first, label: 'Take 1' })).statusCode).toBe(409)
  expect(await list()).toHaveLength(20)
  await expectBooked()
})

test('text tracks of a recording become captions, and are removed and replaced as any others', async () => {
  const say = (words: string) => [{ fromSeconds: 0.25, seconds: 0.5, words }]
  const path = await makeClip({
    path: join(site.dataFolder, 'said.mkv'),
    container: 'matroska',
    seconds: 1,
    texts: [
      {
        codec: 'subrip',
        language: 'ger',
        title: 'Voll',
        cues: say('<b>Los</b><script>x</script>'),
      },
      { codec: 'ass', language: 'ger', title: 'Voll', cues: say('0,0,D,,0,0,0,,{\\an8}Los') },
      { codec: 'subrip', language: 'und', cues: say('Go') },
      { codec: 'subrip', language: 'eng', cues: say('<script>x</script>') },
    ],
  })
  const upload = async (isAnonymous: boolean) => {
    const metadata = { title: 'Said', isAnonymous }
    const uploadId = await sendFile({ site, as: ann }, { path, metadata })
    return (await complete({ site, as: ann }, { uploadId })).json().videoId as number
  }
  const video = await upload(false)
  const tracks = await list(ann, video)
  expect(tracks.map(({ label, language }) => [label, language])).toEqual([
    ['Captions', 'und'],
    ['Voll', 'de'],
    ['Voll 2', 'de'],
  ])
  const file = await get(tracks[1]?.url ?? '', ann)
  expect(file.body).toBe('WEBVTT\n\n00:00:00.250 --> 00:00:00.750\n<b>Los</b>\n')
  await expectBooked(video)
  expect((await remove(tracks[1]?.id ?? 0)).statusCode).toBe(200)
  await expectBooked(video)
  expect((await edit({ id: tracks[0]?.id, language: 'en', label: '' })).statusCode).toBe(200)
  expect((await list(ann, video)).map(({ label }) => label)).toEqual(['English', 'Voll 2'])

  // Names of tracks can tell whose they are.
  const labels = (await list(ann, await upload(true))).map(({ label }) => label)
  expect(labels).toEqual(['Captions', 'German', 'German 2'])
})

test('only the owner changes them', async () => {
  const track = (await send({ language: 'en' })).json<Track>()
  expectSentence(await send({ language: 'de' }, bob), { status: 403 })
  expect((await edit({ id: track.id, label: 'Mine' }, bob)).statusCode).toBe(403)
  expect((await remove(track.id, bob)).statusCode).toBe(403)
  expect(await list(bob)).toEqual([track])
})

test.skipIf(isOnPostgres)(
  'a backup has them, and the doctor misses them when they are gone',
  async () => {
    const track = (await send({ language: 'en' })).json<Track>()
    const folder = `${site.dataFolder}-backup`
    const address = mediaAddress(site.config.media)
    const elsewhere = address ? { media: site.media, address, withMedia: false } : undefined
    const { manifest } = await makeBackup({ dataFolder: site.dataFolder, folder, elsewhere })
    const path = track.url.replace('/media/', '')
    expect(manifest.files.map((file) => file.path)).toContain(path)
    const { rm } = await import('node:fs/promises')
    await rm(folder, { recursive: true })
    expect((await checkSite(site.db, site)).problems).toEqual([])
    await removeStored(site, ...partsOf(track.url))
    const { problems } = await checkSite(site.db, site)
    expect(problems).toEqual([
      {
        kind: 'missing',
        text: expect.stringMatching(/captions-\w+\.vtt, the captions "English" of/),
      },
    ])
  },
)

test('a megabyte of markup is read while others have their turn', async () => {
  const header = 'WEBVTT\n\n00:01.000 --> 00:04.000\n'
  const words = '<b>x</b>'.repeat((1024 * 1024 - header.length) / 8)
  const texts: string[] = []
  const turns = await countTurns(async () => {
    texts.push((await readCaptions(Buffer.from(header + words), ann.id)).text)
  })
  expect(texts[0]?.endsWith(`${words}\n`)).toBe(true)
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('a megabyte of short lines that ends in bytes that are no text is named by its line', async () => {
  const lines = 1_000_000
  const bytes = Buffer.concat([Buffer.alloc(lines, '\n'), Buffer.from([0xff])])
  await expect(readCaptions(bytes, ann.id)).rejects.toThrow(`Line ${lines + 1} is not UTF-8 text.`)
})
