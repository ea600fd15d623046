import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type ClipOptions, makeClip, readClip } from '#test/support/clips.ts'
import { quickCases } from '#test/support/long-form.ts'
import { makePng } from '#test/support/png.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { localFile, partsOf } from '#test/support/stored-files.ts'
import type { TestMember, TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'
import { element, unsigned } from '#test/torture/media/ebml.ts'
import { box, copyBox, replaceBox } from '#test/torture/media/mp4-surgery.ts'

const PLACE = '+52.5200+013.4050/'
const WORDS = 'secret words'
const METADATA = { title: WORDS, artist: WORDS, comment: WORDS, location: PLACE }
/** What tools write of themselves says with what a user records, and when. */
const TRACES = [WORDS, '+52.52', 'x264 - ', 'x265 ', 'Lavf', 'Lavc', 'IHDR', 'OTTO']

const site = setUpTestSite({ renditionHeights: [180, 96] })
let as: TestMember

beforeAll(async () => {
  as = await site.addMember('ann')
  await site.deps.jobs.start()
})

/** A film as a program for recordings leaves it: with a font, a cover, chapters and tags in it. */
async function makeMatroska(path: string, options: Partial<ClipOptions>): Promise<void> {
  // A live recording has no index of places, which another element in front would make wrong.
  const muxerOptions = { live: '1' }
  await makeClip({ path, container: 'matroska', metadata: METADATA, muxerOptions, ...options })
  const bytes = await readFile(path)
  const attach = (name: string, type: string, data: Buffer, id: number) =>
    element(
      '61a7',
      ...[element('466e', name), element('4660', type), element('465c', data)],
      unsigned('46ae', id),
    )
  const font = Buffer.from(`OTTO ${WORDS}`)
  const attachments = element(
    '1941a469',
    attach(`${WORDS}.otf`, 'application/vnd.ms-opentype', font, 1),
    attach('cover.png', 'image/png', makePng(64, 64), 2),
  )
  const chapter = element(
    'b6',
    ...[unsigned('73c4', 1), unsigned('91', 0), unsigned('92', 1_000_000_000)],
    element('80', element('85', WORDS), element('437c', 'eng')),
  )
  const chapters = element('1043a770', element('45b9', chapter))
  const tracks = Buffer.from('1654ae6b', 'hex')
  // The first time it is named in the list of what the file holds.
  const at = bytes.indexOf(tracks, bytes.indexOf(tracks) + tracks.length)
  await writeFile(
    path,
    Buffer.concat([bytes.subarray(0, at), attachments, chapters, bytes.subarray(at)]),
  )
}

/** A film as a phone leaves it: with its place said twice, chapters, and a description of its making. */
async function makeQuickTime(path: string, options: Partial<ClipOptions>): Promise<void> {
  const metadata = { ...METADATA, 'com.apple.quicktime.location.ISO6709': PLACE }
  const muxerOptions = { movflags: 'use_metadata_tags' }
  await makeClip({ path, container: 'mov', metadata, muxerOptions, ...options })
  const bytes = await readFile(path)
  const place = Buffer.from(`\0\x12\x15\xc7${PLACE}`, 'latin1')
  const chapter = Buffer.from(`\x01\0\0\0\0\0\0\0\x01${'\0'.repeat(8)}\x0c${WORDS}`, 'latin1')
  const userData = box('udta', box('\xa9xyz', place), box('chpl', chapter))
  const moov = box('moov', copyBox(bytes, 'moov').subarray(8), userData)
  const extra = box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), place)
  await writeFile(path, Buffer.concat([replaceBox(bytes, 'moov', moov), extra]))
}

const RECORDINGS: [string, typeof makeMatroska, Partial<ClipOptions>][] = [
  ['a phone records', makeQuickTime, {}],
  ['a phone records in HEVC', makeQuickTime, { videoCodec: 'hevc' }],
  ['a program records', makeMatroska, {}],
  ['is encoded again', makeMatroska, { videoCodec: 'hevc', audioCodec: 'opus' }],
]

test.each(quickCases(RECORDINGS, ['a phone records']))(
  'nothing personal of what %s is in any file that is served',
  async (_name, make, options) => {
    const path = join(site.dataFolder, 'clip')
    await make(path, { seconds: 2, audioTracks: 2, ...options })
    const source = await readClip(path)
    expect(source.tags.join()).toContain(PLACE)
    expect(source.tags.join()).toContain(WORDS)
    if (make === makeMatroska) expect(source.tags).toContain(`filename=${WORDS}.otf`)
    const uploadId = await sendFile({ site, as }, { path })
    const { videoId } = (await complete({ site, as }, { uploadId })).json()
    const get = (url: string) => site.get(url, { as })
    const getVideo = async () => (await get(`/api/videos/${videoId}`)).json()
    await until(async () => (await getVideo()).hlsUrl !== null)

    const { hlsUrl, videoUrl, thumbnailUrl } = await getVideo()
    const rows = await site.db
      .selectFrom('mediaFiles')
      .select('name')
      .where('videoId', '=', videoId)
      .execute()
    const names = rows.map(({ name }) => name)
    for (const url of [hlsUrl, videoUrl, thumbnailUrl])
      expect(names).toContain(url.split('/').at(-1))
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) {
      const answer = await get(hlsUrl.replace(/[^/]+$/, name))
      expect([name, answer.statusCode]).toEqual([name, 200])
      const found = TRACES.filter((trace) => answer.rawPayload.includes(trace))
      expect([name, found]).toEqual([name, []])
      if (/\.(mp4|m4a)$/.test(name)) await expectBare(site, videoUrl, name)
    }
  },
)

/** Nothing but the picture and the sounds, and no words but those that the container needs. */
async function expectBare(site: TestSite, videoUrl: string, name: string): Promise<void> {
  const { tags, pictures } = await readClip(await localFile(site, partsOf(videoUrl)[0], name))
  const own = /^(\w+_brands?|minor_version|language|handler_name|vendor_id)=/
  expect(tags.filter((tag) => !own.test(tag))).toEqual([])
  expect(pictures.length).toBe(name.endsWith('.mp4') ? 1 : 0)
}
