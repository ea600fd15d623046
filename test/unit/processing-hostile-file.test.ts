import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { UnplayableSourceError } from '#server/video/processing/media-errors.ts'
import { soundFileError, unknownContainerError } from '#server/video/processing/source/file-kind.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { type ClipOptions, makeClip } from '#test/support/clips.ts'
import { isLongForm, longTest, quickCases } from '#test/support/long-form.ts'
import { makePng } from '#test/support/png.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { patchBox } from '#test/torture/media/mp4-surgery.ts'

const folder = setUpFolder('hostile')
let output: string

beforeAll(async () => {
  output = join(folder, 'output')
  await mkdir(output)
})

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
  ['This is a sound file (FLAC)', padded('fLaC\0\0\0\x22')],
  ['This is a sound file (MP3)', padded('ID3\x04\0\0\0\0\0\x02\0\0\xff\xfb\x90\x64')],
  ['This is a sound file (WAV)', padded('RIFF\xf4\x01\0\0WAVEfmt ')],
  ['This is a sound file (Wave64)', padded('riff\x2e\x91\xcf\x11')],
  ['This is a sound file (Opus)', padded(`OggS${'\0'.repeat(24)}OpusHead`)],
  ['This is an animated picture (GIF)', animation()],
  ['This is an animated picture (WebP)', padded('RIFF\xf4\x01\0\0WEBPVP8X\x0a\0\0\0\x02')],
  ['This is an animated picture (APNG)', animatedPng()],
  ['This is a document (PDF)', '%PDF-1.7\n'.padEnd(5000, 'x ')],
  ['This is a file of captions (SubRip)', '1\r\n00:00:01,000 --> 00:00:02,000\r\nHello\r\n'],
  ['This is a file of captions (WebVTT)', 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n'],
  ['This is a text file', 'import { frame } from "./frame.ts"\nexport const rate = 60\n'],
]

/** @param start one letter a byte */
function padded(start: string): Buffer {
  return Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(500, 0x55)])
}

/** Two pictures of a single point. */
function animation(): Buffer {
  const picture = '\x21\xf9\x04\0\0\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0'
  const screen = '\x01\0\x01\0\x80\0\0\0\0\0\x01\x01\x01'
  return Buffer.from(`GIF89a${screen}${picture}${picture};`, 'latin1')
}

function animatedPng(): Buffer {
  const png = makePng(8, 8)
  const [before, after] = [png.subarray(0, 33), png.subarray(33)]
  const control = Buffer.from('\0\0\0\x08acTL\0\0\0\x02\0\0\0\0\0\0\0\0', 'latin1')
  return Buffer.concat([before, control, after])
}

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
    const sentence =
      videoCodec === 'mjpeg'
        ? `This is a sound file (AAC); ${TAKEN}`
        : 'This file has sound, but only one picture: it is not a video.'
    expect(await refusal(await readFile(path))).toBe(sentence)
  },
)

const SOUNDS: [name: string, clip: Omit<ClipOptions, 'path'>][] = [
  ['PCM', { container: 'avi', audioCodec: 'pcm' }],
  ['AC-3', { container: 'matroska', audioCodec: 'ac3' }],
  ['MP3', { container: 'flv', audioCodec: 'mp3', sampleRate: 44_100 }],
  ['MP2', { container: 'mpegps', audioCodec: 'mp2' }],
  ['AAC', { container: 'mpegts' }],
  ['WMA', { container: 'asf', audioCodec: 'wmav2' }],
  ['Opus', { container: 'ogg', audioCodec: 'opus' }],
]

test.each(isLongForm ? SOUNDS : [])(
  'sound alone (%s) in a container of videos is told as such',
  async (name, clip) => {
    const path = await makeClip({
      path: join(folder, 'alone'),
      videoCodec: null,
      seconds: 1,
      ...clip,
    })
    expect(await refusal(await readFile(path))).toBe(`This is a sound file (${name}); ${TAKEN}`)
  },
)

test.each([
  ['pcm_s24le', 'PCM'],
  ['adpcm_ms', 'ADPCM'],
  ['eac3', 'E-AC-3'],
  ['wmav1', 'WMA'],
  ['mp2', 'MP2'],
  ['opus', 'Opus'],
])('sound of %s is called %s', (codec, name) => {
  expect(soundFileError(codec).message).toBe(`This is a sound file (${name}); ${TAKEN}`)
})

test('a head of a video after which there is nothing is damaged, not “no video”', () => {
  const head = Buffer.from('FLV\x01\x05\0\0\0\x09\0\0\0\0\x12', 'latin1')
  expect(unknownContainerError(head).message).toBe('This video is damaged and could not be read.')
})

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

/** What is true of a recording that lost something while its kind can still be seen. */
const OF_DAMAGE = [
  'This video is damaged and could not be read.',
  'This video has no length.',
  'This video has too few pictures for its length.',
  'This kind of video cannot be read.',
  'The picture of this video is larger than 8K.',
  'This file has sound, but only one picture: it is not a video.',
  'This file is a picture, not a video.',
  // Where nothing says any more that there was a picture.
  `This is a sound file (AAC); ${TAKEN}`,
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
        (error: unknown) =>
          error instanceof UnplayableSourceError && OF_DAMAGE.includes(error.message)
            ? 'refused'
            : error,
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

/** @returns 'played', or the sentence */
async function outcomeOf(bytes: Buffer): Promise<string> {
  const sourcePath = join(folder, 'rest')
  await writeFile(sourcePath, bytes)
  const task = { kind: 'prepare', sourcePath, outputFolder: output } as const
  const outcome = await runMediaTask(task, { timeoutMs: 20_000 }).then(
    () => 'played',
    (error: Error) => {
      expect(error).toBeInstanceOf(UnplayableSourceError)
      return error.message
    },
  )
  for (const name of await readdir(output)) await rm(join(output, name))
  return outcome
}

const TINY = { seconds: 0.5, width: 64, height: 36 }
const STREAMED = BROKEN.filter(([name]) => ['FLV', 'MPEG-PS', 'WMV', 'Ogg'].includes(name))

test.each(STREAMED)(
  'a tiny %s that is cut off and damaged is refused or played',
  async (_, clip) => {
    const whole = await readFile(await makeClip({ path: join(folder, 'tiny'), ...TINY, ...clip }))
    const bytes = Buffer.from(whole.subarray(0, Math.floor(whole.length * 0.7)))
    for (let at = 700; at < bytes.length; at += 997) bytes[at] = 0xff
    expect(['played', ...OF_DAMAGE]).toContain(await outcomeOf(bytes))
  },
)

test.each(isLongForm ? STREAMED : [])(
  'of %s a file that is cut off anywhere is damaged or plays as far as it goes',
  async (_, clip) => {
    const whole = await readFile(
      await makeClip({ path: join(folder, 'cut-off'), ...TINY, ...clip, seconds: 2 }),
    )
    const outcomes: string[] = []
    for (const share of [0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.98]) {
      outcomes.push(await outcomeOf(whole.subarray(0, Math.ceil(whole.length * share))))
    }
    expect(outcomes.filter((one) => one !== 'played' && !OF_DAMAGE.includes(one))).toEqual([])
    expect(outcomes.slice(-3)).toEqual(['played', 'played', 'played'])
  },
)

longTest('a recording whose beginning is lost is never called a text or an archive', async () => {
  for (const [, clip] of STREAMED) {
    const path = join(folder, 'beheaded')
    const whole = await readFile(await makeClip({ path, ...TINY, ...clip, seconds: 2 }))
    for (const share of [0.1, 0.4, 0.8]) {
      const outcome = await outcomeOf(whole.subarray(Math.ceil(whole.length * share)))
      expect(outcome).toMatch(
        /^played$|^This file is not a video; |^This is a sound file \(MP2\)|damaged/,
      )
    }
  }
})
