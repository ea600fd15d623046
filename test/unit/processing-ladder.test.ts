import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  writeMasterPlaylist,
  writeMediaPlaylist,
} from '#server/video/processing/package/hls-playlist.ts'
import {
  parseMasterPlaylist,
  parseMediaPlaylist,
} from '#server/video/processing/package/parse-playlist.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import {
  type ClipOptions,
  type ClipReading,
  decodeAll,
  makeClip,
  readClip,
  readSound,
  readStill,
} from '#test/support/clips.ts'
import { findBrokenRanges, parseMaster, parseMedia, parseSounds } from '#test/support/hls.ts'
import { longTest, quickCases } from '#test/support/long-form.ts'
import {
  processClip as makeAndProcess,
  type ProcessedClip,
  sizesOf,
} from '#test/support/processed-clip.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const limits = { timeoutMs: 60_000 }
const heights = [180, 120]

const folder = setUpFolder('ladder')

type Made = ProcessedClip

const processClip = (options: Omit<ClipOptions, 'path'>) =>
  makeAndProcess(folder, { seconds: 4.5, ...options }, heights)

function writtenAgain(text: string): string | undefined {
  const playlist = parseMediaPlaylist(text)
  return playlist && writeMediaPlaylist(playlist)
}

/** Holds for every ladder, whatever it was made of. */
async function expectSound(made: Made, expected: { seconds: number; frames?: number }) {
  const { renditions, at } = made
  const master = parseMaster(await readFile(at('hls.m3u8'), 'utf8'))
  expect(master).toHaveLength(renditions.length)
  const readings: ClipReading[] = []
  for (const one of renditions) {
    const text = await readFile(at(one.playlistFile), 'utf8')
    expect(writtenAgain(text)).toBe(text)
    const playlist = parseMedia(text)
    expect(await findBrokenRanges(at('.'), playlist)).toEqual([])
    const length = playlist.segments.reduce((sum, { seconds }) => sum + seconds, 0)
    expect(Math.abs(length - expected.seconds)).toBeLessThan(0.15)
    const reading = await readClip(at(one.file))
    readings.push(reading)
    expect(Math.abs(reading.durationSeconds - expected.seconds)).toBeLessThan(0.15)
    const [picture] = reading.pictures
    const { width, height } = one
    expect(picture).toMatchObject({ codec: 'h264', width, height, pixelAspect: 1 })
    expect(picture).toMatchObject({ pixelFormat: 'yuv420p', hasDisplayMatrix: false })
    const { frames, errors } = await decodeAll(at(one.file))
    expect({ frames, errors }).toEqual({ frames: picture?.times.length, errors: 0 })
    if (expected.frames) expect(frames).toBe(expected.frames)
    const attributes = master.find((entry) => entry.playlist === one.playlistFile)?.attributes
    expect(attributes?.RESOLUTION).toBe(`${width}x${height}`)
    expect(attributes?.CODECS).toBe(one.codecs)
    expect(Number(attributes?.BANDWIDTH)).toBe(one.bandwidth)
    expect(one.averageBandwidth).toBeLessThanOrEqual(one.bandwidth)
    const bytes = (await stat(at(one.file))).size
    expect(Math.abs(one.averageBandwidth / ((bytes * 8) / length) - 1)).toBeLessThan(0.1)
    expect(one.codecs).toMatch(await realCodecs(at(one.file)))
    // Segments begin where they say, with a key frame.
    let start = 0
    for (const { seconds } of playlist.segments) {
      const nearest = Math.min(...(picture?.keyTimes ?? []).map((key) => Math.abs(key - start)))
      expect(nearest).toBeLessThan(0.01)
      start += seconds
    }
  }
  expectAligned(readings)
}

/** From the decoder's configuration in the file itself. */
async function realCodecs(path: string): Promise<RegExp> {
  const bytes = await readFile(path)
  const at = bytes.indexOf('avcC', 0, 'latin1')
  const level = bytes.toString('hex', at + 5, at + 8)
  const hasSound = bytes.subarray(0, bytes.indexOf('moof')).includes('mp4a')
  return new RegExp(`^avc1\\.${level}${hasSound ? ',mp4a\\.40\\.2' : ''}$`)
}

function expectAligned(readings: ClipReading[]): void {
  const [largest, ...others] = readings.map(({ pictures }) => pictures[0]?.keyTimes ?? [])
  for (const keys of others) {
    // A copied picture may have further key frames within its segments.
    for (const key of keys) {
      expect(largest?.some((other) => Math.abs(other - key) < 0.004)).toBe(true)
    }
  }
}

/** Each with the sizes of its renditions, and whether the first is a copy of the picture. */
const shapes: [string, Omit<ClipOptions, 'path'>, sizes: string, isCopied?: boolean][] = [
  ['H.264 and AAC in MP4', { bFrames: 2, keyFrameSeconds: 2 }, '320x180 214x120'],
  [
    'what OBS records',
    { container: 'matroska', bFrames: 2, keyFrameSeconds: 1.3, startSeconds: 1 },
    '320x180 214x120',
  ],
  [
    'an AVI of MPEG-4 and MP3',
    { container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' },
    '320x180 214x120',
  ],
  [
    'a WebM of VP9 and Opus',
    { container: 'webm', videoCodec: 'vp9', audioCodec: 'opus' },
    '320x180 214x120',
  ],
  ['a phone clip on its side', { container: 'mov', rotation: 90 }, '180x320 120x214', false],
  ['oblong pixels', { sampleAspectRatio: '4/3' }, '426x180 284x120', false],
  [
    'a variable frame rate in 10-bit HEVC',
    {
      container: 'matroska',
      videoCodec: 'hevc',
      pixelFormat: 'yuv420p10le',
      audioCodec: 'opus',
      variableFrameRate: true,
    },
    '320x180 214x120',
  ],
  ['no sound', { audioCodec: null }, '320x180 214x120'],
  ['surround sound', { container: 'matroska', audioCodec: 'ac3', channels: 6 }, '320x180 214x120'],
  ['a larger picture', { width: 480, height: 270 }, '320x180 214x120', false],
  ['a picture smaller than every step', { width: 160, height: 90 }, '160x90'],
]

/** A variable frame rate and 10-bit HEVC on their own are quick tests of shapes and of the transcode. */
const quick = ['a picture smaller than every step']

test.each(quickCases(shapes, quick))(
  '%s becomes a ladder',
  async (_name, options, sizes, isCopied = true) => {
    const made = await processClip(options)
    expect(sizesOf(made.renditions)).toBe(sizes)
    const copied = made.renditions.map((one) => one.copied)
    expect(copied).toEqual(copied.map((_, index) => isCopied && index === 0))
    await expectSound(made, { seconds: 4.5 })
    expect((await readdir(made.at('.'))).sort()).toEqual(made.files.map(({ name }) => name).sort())
    const sounds = (await readClip(made.at(made.renditions.at(-1)?.file ?? ''))).sounds
    const sound = { codec: 'aac', channels: 2, sampleRate: 48_000 }
    expect(sounds).toMatchObject(options.audioCodec === null ? [] : [sound])
    expect(made.loudnessLufs === null).toBe(options.audioCodec === null)
  },
)

describe('the source of', () => {
  longTest('rare key frames is encoded again, with one every two seconds', async () => {
    const made = await processClip({ keyFrameSeconds: 20, seconds: 13 })
    expect(made.renditions.map(({ copied }) => copied)).toEqual([false, false])
    const { keyTimes = [] } = (await readClip(made.at('120p.mp4'))).pictures[0] ?? {}
    expect(keyTimes.map(Math.round)).toEqual([0, 2, 4, 6, 8, 10, 12])
    await expectSound(made, { seconds: 13, frames: 390 })
  })

  longTest('interlaced pictures becomes twice as many whole ones', async () => {
    const made = await processClip({ interlaced: true, frameRate: 50, seconds: 2 })
    expect(made.renditions[0]?.frameRate).toBeCloseTo(50, 0)
    expect((await readStill(made.at('180p.mp4'), 1)).interlaced).toBe(false)
    await expectSound(made, { seconds: 2 })
  })

  longTest('a short sound gets silence to the end of the picture', async () => {
    const made = await processClip({ audioSeconds: 2, audioDelaySeconds: 0.5 })
    const { heardAt, seconds } = await readSound(made.at('120p.mp4'))
    expect(Math.abs(heardAt - 0.5)).toBeLessThan(0.05)
    expect(Math.abs(seconds - 4.5)).toBeLessThan(0.1)
    await expectSound(made, { seconds: 4.5 })
  })
})

longTest.each(['pq', 'hlg'] as const)(
  '%s comes out in the standard range',
  async (dynamicRange) => {
    const made = await processClip({
      dynamicRange,
      videoCodec: 'hevc',
      pixelFormat: 'yuv420p10le',
      seconds: 1,
    })
    const bt709 = { space: 1, primaries: 1, transfer: 1, range: 1 }
    for (const { file } of made.renditions)
      expect((await decodeAll(made.at(file))).colors).toEqual(bt709)
    const white = (await readStill(made.at('180p.mp4'))).at(0.05, 0.5)
    expect(Math.max(...white)).toBeGreaterThan(120)
  },
)

test.each(
  quickCases<[string, Omit<ClipOptions, 'path'>]>(
    [
      ['copied', { keyFrameSeconds: 2 }],
      ['encoded', { container: 'matroska', audioCodec: 'opus' }],
      ['too short for the picture', { audioSeconds: 3 }],
    ],
    ['encoded'],
  ),
)(
  'every one of several sound tracks that is %s is a part of the stream, and each further one a file',
  async (_, options) => {
    const audioLanguages = ['eng', 'deu', 'und']
    const made = await processClip({ ...options, audioTracks: 3, audioLanguages })
    expect(made.soundTracks.map(({ file }) => file)).toEqual(['sound-2.m4a', 'sound-3.m4a'])
    for (const [index, { file }] of made.soundTracks.entries()) {
      const { pitch, seconds } = await readSound(made.at(file))
      expect(pitch).toBe(440 * (index + 2))
      expect(Math.abs(seconds - (options.audioSeconds ?? 4.5))).toBeLessThan(0.15)
    }
    const text = await readFile(made.at('hls.m3u8'), 'utf8')
    const master = parseMasterPlaylist(text)
    expect(master && writeMasterPlaylist(master)).toBe(text)
    const shared = { TYPE: 'AUDIO', 'GROUP-ID': 'sound', CHANNELS: '2' }
    const [first, further] = ['YES', 'NO'].map((is) => ({ ...shared, DEFAULT: is, AUTOSELECT: is }))
    const tracks = parseSounds(text)
    expect(tracks).toEqual([
      { ...first, NAME: 'English', LANGUAGE: 'en', URI: 'sound-1.m3u8' },
      { ...further, NAME: 'German', LANGUAGE: 'de', URI: 'sound-2.m3u8' },
      { ...further, NAME: 'Track 3', URI: 'sound-3.m3u8' },
    ])
    for (const { attributes, playlist } of parseMaster(text)) {
      expect(attributes).toMatchObject({
        AUDIO: 'sound',
        CODECS: expect.stringMatching(/^avc1\.[0-9a-f]{6},mp4a\.40\.2$/),
      })
      const { pictures, sounds } = await readClip(made.at(playlist))
      expect([pictures.length, sounds.length]).toEqual([1, 0])
    }
    for (const [index, { URI = '' }] of tracks.entries()) {
      const ranges = await readFile(made.at(URI), 'utf8')
      expect(writtenAgain(ranges)).toBe(ranges)
      const playlist = parseMedia(ranges)
      expect(await findBrokenRanges(made.at('.'), playlist)).toEqual([])
      expect(playlist.segments.length).toBeGreaterThan(1)
      const { pitch, seconds } = await readSound(made.at(playlist.file))
      expect(pitch).toBe(440 * (index + 1))
      expect(Math.abs(seconds - 4.5)).toBeLessThan(0.15)
    }
    expect((await readClip(made.playablePath)).sounds).toHaveLength(3)
    expect((await readdir(made.at('.'))).sort()).toEqual(made.files.map(({ name }) => name).sort())
  },
)

longTest.each(
  quickCases(
    [
      ['copied', {}],
      ['encoded again', { container: 'matroska', audioCodec: 'opus' }],
    ] as const,
    ['encoded again'],
  ),
)('the languages of sound tracks that are %s are known', async (_, options) => {
  const audioLanguages = ['eng', 'deu', 'und']
  const made = await processClip({ ...options, seconds: 2, audioTracks: 3, audioLanguages })
  expect(made.soundLanguage).toBe('eng')
  expect(made.soundTracks.map(({ language }) => language)).toEqual([
    expect.stringMatching(/^(deu|ger)$/),
    null,
  ])
})

longTest('sound that outlasts its picture by far lies beside it, in short segments', async () => {
  const made = await processClip({ seconds: 3, audioSeconds: 33 })
  for (const { file } of made.renditions) expect((await readClip(made.at(file))).sounds).toEqual([])
  const playlist = await readFile(made.at('sound-1.m3u8'), 'utf8')
  const lengths = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds))
  expect(Math.max(...lengths)).toBeLessThan(10.1)
  expect(lengths.reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(33, 0)
  expect(await readFile(made.at('hls.m3u8'), 'utf8')).toContain('URI="sound-1.m3u8"')
  expect(made.soundTracks).toEqual([])
})

longTest('a picture that is not the best yet gets a progressive file that is', async () => {
  const base = join(folder, 'progressive')
  await mkdir(base)
  const sourcePath = await makeClip({
    path: join(folder, 'progressive.avi'),
    container: 'avi',
    videoCodec: 'mpeg4',
    audioCodec: 'mp3',
    seconds: 3,
  })
  const playablePath = join(folder, 'first.mp4')
  const quick = { kind: 'transcode', sourcePath, outputPath: playablePath } as const
  await runMediaTask({ ...quick, quickShortSide: 120 }, limits)
  const made = await runMediaTask(
    { kind: 'ladder', sourcePath, playablePath, outputFolder: base, thumbnailPath: null, heights },
    limits,
  )
  expect(made.renditions.map(({ copied }) => copied)).toEqual([false, true])
  expect(made).toMatchObject({ progressiveFile: 'video.mp4', width: 320, height: 180 })
  await expectSound({ ...made, at: (name) => join(base, name) } as Made, { seconds: 3 })
  const best = await readClip(join(base, 'video.mp4'))
  expect(best.pictures).toMatchObject([{ width: 320, height: 180 }])
  expect(best.sounds).toMatchObject([{ codec: 'aac' }])
  const bytes = await readFile(join(base, 'video.mp4'))
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
})

test('the storyboard shows where each time is shown, and cards have pictures', async () => {
  const made = await processClip({})
  const text = await readFile(made.at('storyboard.vtt'), 'utf8')
  const cues = [...text.matchAll(/(\S+) --> (\S+)\n(storyboard-1\.jpg)#xywh=(\d+),(\d+),214,120/g)]
  expect(cues.length).toBeGreaterThan(7)
  expect(cues[0]?.[1]).toBe('00:00:00.000')
  for (const [index, cue] of cues.entries()) {
    if (index > 0) expect(cue[1]).toBe(cues[index - 1]?.[2])
  }
  expect(await readStill(made.at('storyboard-1.jpg'))).toMatchObject({ width: 1070, height: 600 })
  expect((await readFile(made.at('poster-card-320.webp'))).toString('latin1', 8, 12)).toBe('WEBP')
  expect(made.cardFile).toBe('poster-card.webp')
  expect(made.preview?.length).toBeGreaterThan(40)
  expect(made.share).toBe('best')
})

longTest.each(
  quickCases<[string, Omit<ClipOptions, 'path'>]>(
    [
      ['copied', { audioTracks: 2 }],
      [
        'encoded',
        { container: 'matroska', videoCodec: 'hevc', audioCodec: 'opus', audioTracks: 2 },
      ],
    ],
    ['encoded'],
  ),
)(
  'of a video that is %s no file tells what it was made with, or what its title was',
  async (_, options) => {
    const metadata = { title: 'My secret title', comment: 'a secret tool', location: '+52.5+13.4/' }
    const made = await processClip({ ...options, metadata, seconds: 1 })
    const names = [
      ...made.files.map(({ name }) => name),
      '../first/video.mp4',
      '../first/poster.jpg',
    ]
    for (const name of names) {
      const text = (await readFile(made.at(name))).toString('latin1')
      expect([name, /x264 - |x265 |Lavc|Lavf|secret|52\.5/.exec(text)?.[0]]).toEqual([
        name,
        undefined,
      ])
    }
  },
)
