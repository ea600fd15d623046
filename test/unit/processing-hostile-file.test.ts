import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UnplayableSourceError } from '#server/video/processing/media-errors.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { type ClipOptions, makeClip } from '#test/support/clips.ts'
import { isLongForm, quickCases } from '#test/support/long-form.ts'
import { makePng } from '#test/support/png.ts'
import { patchBox } from '#test/torture/media/mp4-surgery.ts'

let folder: string
let output: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-'))
  output = join(folder, 'output')
  await mkdir(output)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The sentence with which both kinds of work refuse a file; neither may leave anything behind. */
async function refusal(bytes: Buffer | string, name = 'clip.mp4'): Promise<string> {
  const sourcePath = join(folder, name)
  await writeFile(sourcePath, bytes)
  const tasks = [
    () =>
      runMediaTask({ kind: 'prepare', sourcePath, outputFolder: output }, { timeoutMs: 20_000 }),
    () =>
      runMediaTask(
        { kind: 'transcode', sourcePath, outputPath: join(output, 'transcoded.mp4') },
        { timeoutMs: 20_000 },
      ),
  ]
  const errors = await Promise.all(tasks.map((task) => task().catch((error: unknown) => error)))
  for (const error of errors) expect(error).toBeInstanceOf(UnplayableSourceError)
  expect(await readdir(output)).toEqual([])
  return (errors[0] as Error).message
}

test('an empty file is refused', async () => {
  expect(await refusal('')).toBe('The file is empty.')
})

const TAKEN = 'the site takes MP4, MOV, 3GP, MKV, WebM, AVI, FLV, TS, M2TS, MPG, VOB, WMV or OGV.'

const NO_VIDEOS: [string, string | Buffer][] = [
  ['This is a text file', 'Hello, I am not a video.\n'.repeat(5000)],
  ['This file is not a video', randomBytes(300_000).fill(0x9c, 0, 8)],
  ['This is a picture (PNG)', makePng(64, 64)],
  ['This is a web page (HTML)', `<!doctype html><title>x</title>${'<p>x</p>'.repeat(1000)}`],
  ['This is an archive (ZIP)', Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(20_000)])],
  [
    'This is a description of a stream (SDP)',
    'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\n',
  ],
  ['This is a playlist (ffconcat)', "ffconcat version 1.0\nfile 'neighbour.mp4'\n"],
  ['This is a file of zeros: nothing was recorded into it', Buffer.alloc(300_000)],
  ['This is a picture (HEIC)', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
  ['This is an encrypted video (TS)', scrambledStream()],
  [
    'This is one piece of a streamed recording (MP4), without its beginning',
    Buffer.from('\0\0\0\x10stypmsdh\0\0\0\0\0\0\0\x08moof'),
  ],
]

/** Packets of a transport stream of one picture, all scrambled. */
function scrambledStream(): Buffer {
  const packet = Buffer.alloc(188, 0x55)
  packet.set([0x47, 0x01, 0x00, 0xd0])
  return Buffer.concat(Array.from({ length: 400 }, () => packet))
}

test.each(
  quickCases(NO_VIDEOS, [
    'This file is not a video',
    'This is a picture (PNG)',
    'This is a description of a stream (SDP)',
    'This is a playlist (ffconcat)',
    'This is a picture (HEIC)',
    'This is an encrypted video (TS)',
  ]),
)('what is named .mp4 and is none is told: %s', async (sentence, bytes) => {
  expect(await refusal(bytes)).toBe(`${sentence}; ${TAKEN}`)
})

test('a playlist named .mp4 does not open the file beside it', async () => {
  await makeClip({ path: join(folder, 'neighbour.mp4'), seconds: 1 })
  const playlist = [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    '#EXT-X-TARGETDURATION:2',
    '#EXTINF:1.0,',
    'neighbour.mp4',
    '#EXT-X-ENDLIST',
  ]
  expect(await refusal(playlist.join('\n'))).toBe(`This is a playlist (M3U8); ${TAKEN}`)
})

test('sound without a picture is refused', async () => {
  const path = await makeClip({ path: join(folder, 'sound'), videoCodec: null, seconds: 1 })
  expect(await refusal(await readFile(path))).toBe(`This is a sound file (AAC); ${TAKEN}`)
})

test.each(isLongForm ? (['h264', 'mjpeg'] as const) : (['mjpeg'] as const))(
  'sound with a single %s picture is no video',
  async (videoCodec) => {
    const path = await makeClip({
      path: join(folder, 'cover'),
      videoCodec,
      frameRate: 1,
      seconds: 1,
      audioSeconds: 3,
    })
    const sentence = videoCodec === 'mjpeg' ? `This is a sound file (AAC); ${TAKEN}` : /picture/
    expect(await refusal(await readFile(path))).toMatch(sentence)
  },
)

test('an MP4 that lost its index is damaged', async () => {
  const path = await makeClip({ path: join(folder, 'cut'), seconds: 2 })
  await truncate(path, 100_000)
  expect(await refusal(await readFile(path))).toBe('This video is damaged and could not be read.')
})

test('an index without a single picture is damaged', async () => {
  const path = await makeClip({
    path: join(folder, 'index-only'),
    seconds: 2,
    muxerOptions: { movflags: 'faststart' },
  })
  const bytes = await readFile(path)
  expect(await refusal(bytes.subarray(0, bytes.indexOf('mdat') + 100))).toMatch(/damaged|length/)
})

test('a few pictures that are to last for hours are refused', async () => {
  const path = await makeClip({ path: join(folder, 'long'), seconds: 1, audioCodec: null })
  const sourcePath = join(folder, 'longer.mp4')
  // Ticks of a second each: the clip is thousands of times as long.
  const slow = (content: Buffer) => content.writeUInt32BE(1, 12)
  await writeFile(sourcePath, patchBox(patchBox(await readFile(path), 'mdhd', slow), 'mvhd', slow))
  const task = { kind: 'prepare', sourcePath, outputFolder: output } as const
  await expect(runMediaTask(task, { timeoutMs: 20_000 })).rejects.toThrow(
    'This video has too few pictures for its length.',
  )
})

test.each([
  { width: 16, height: 20_000 },
  { width: 20_000, height: 16 },
])('a picture of $width x $height, which no encoder takes, is too large', async (size) => {
  const clip = { container: 'avi', videoCodec: 'mjpeg', audioCodec: null, frameRate: 5 } as const
  const path = await makeClip({
    ...{ path: join(folder, `side-${size.width}`), seconds: 1, ...clip, ...size },
    ...{ pixelFormat: 'yuvj420p', fullRange: true, solid: '0xc83c28' },
  })
  expect(await refusal(await readFile(path))).toBe('The picture of this video is too large.')
})

test('pictures that are all noise are damaged', async () => {
  const path = await makeClip({ path: join(folder, 'noise'), seconds: 1, audioCodec: null })
  const bytes = await readFile(path)
  const [start, end] = [bytes.indexOf('mdat') + 4, bytes.indexOf('moov') - 4]
  randomBytes(end - start).copy(bytes, start)
  expect(await refusal(bytes)).toBe('This video is damaged and could not be read.')
})

const BROKEN: [string, Omit<ClipOptions, 'path'>][] = [
  ['Matroska', { container: 'matroska' }],
  ['FLV', { container: 'flv' }],
  ['MPEG-TS', { container: 'mpegts' }],
  ['MPEG-PS', { container: 'mpegps', videoCodec: 'mpeg2', audioCodec: 'mp2', frameRate: 25 }],
  ['WMV', { container: 'asf', videoCodec: 'wmv2', audioCodec: 'wmav2' }],
  ['Ogg', { container: 'ogg', videoCodec: 'vp8', audioCodec: 'opus' }],
]

test.each(quickCases(BROKEN, ['Matroska', 'MPEG-TS']))(
  'files of %s broken in the middle are either refused or played, never a breakdown',
  async (name, clip) => {
    const whole = await readFile(
      await makeClip({ path: join(folder, `whole-${name}`), seconds: 1, ...clip }),
    )
    const attempts = Array.from({ length: 6 }, async (_, attempt) => {
      const bytes = Buffer.from(whole)
      for (let at = 300 + attempt; at < bytes.length; at += 997 + attempt * 31)
        bytes[at] = attempt * 40
      const [sourcePath, outputFolder] = [
        join(folder, `broken-${name}-${attempt}`),
        join(folder, `b-${name}-${attempt}`),
      ]
      await writeFile(sourcePath, bytes)
      await mkdir(outputFolder)
      const outcome = await runMediaTask(
        { kind: 'prepare', sourcePath, outputFolder },
        { timeoutMs: 20_000 },
      ).then(
        ({ probe }) => (probe.durationSeconds < 4 ? 'played' : probe.durationSeconds),
        (error: unknown) => (error instanceof UnplayableSourceError ? 'refused' : error),
      )
      const left = (await readdir(outputFolder)).filter((file) => file.endsWith('.mkv'))
      return { outcome, left }
    })
    for (const { outcome, left } of await Promise.all(attempts)) {
      expect(['played', 'refused']).toContain(outcome)
      expect(left).toEqual([])
    }
  },
)
