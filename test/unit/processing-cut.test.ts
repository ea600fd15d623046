import { mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  addCopiedTrack,
  beginMp4,
  deliverTo,
  finishMp4,
  openMp4,
} from '#server/video/processing/package/mp4-output.ts'
import {
  closeSource,
  openSource,
  readPackets,
} from '#server/video/processing/source/open-source.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import type { CutPart } from '#shared/schemas/cut.schemas.ts'
import { type ClipOptions, decodeAll, makeClip, readClip, readStill } from '#test/support/clips.ts'
import { CUT_SOURCES } from '#test/support/cut-sources.ts'
import { isLongForm, longTest, quickCases } from '#test/support/long-form.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import {
  differenceOf,
  findBeep,
  readShownPictures,
  type ShownPicture,
} from '#test/support/shown-pictures.ts'

const LIMITS = { timeoutMs: 120_000 }
const SECONDS = isLongForm ? 14 : 8
const CUTS = isLongForm ? 9 : 1
/** Chosen times are rounded to milliseconds. */
const TOLERANCE = 0.0015

const folder = setUpFolder('cuts')

async function cut(sourcePath: string, parts: CutPart[], wholeSeconds = 0) {
  const outputFolder = join(await mkdtemp(join(folder, 'cut-')), 'made')
  await mkdir(outputFolder)
  const task = { kind: 'cut', sourcePath, outputFolder, parts, wholeSeconds } as const
  const result = await runMediaTask(task, LIMITS)
  return { ...result, path: join(outputFolder, result.videoFile) }
}

/** The same numbers each time, 0 to 1. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** One to four parts of which each lasts half a second at least. */
function chooseParts(random: () => number, endSeconds: number): CutPart[] {
  const count = 1 + Math.floor(random() * 4)
  const span = endSeconds / count
  return Array.from({ length: count }, (_, index) => {
    const fromSeconds = index * span + random() * span * 0.4
    return {
      fromSeconds,
      toSeconds: Math.min(fromSeconds + 0.5 + random() * span * 0.5, (index + 1) * span),
    }
  })
}

const isIn = (part: CutPart) => (picture: ShownPicture) =>
  picture.seconds >= part.fromSeconds - TOLERANCE && picture.seconds < part.toSeconds - TOLERANCE

/** Which of the pictures around it in the source one of the result is. */
function whichOf(made: ShownPicture, source: readonly ShownPicture[], at: number): number {
  const near = [-2, -1, 0, 1, 2].filter((offset) => source[at + offset] !== undefined)
  const far = (offset: number) => differenceOf(made, source[at + offset] as ShownPicture)
  return near.reduce((best, offset) => (far(offset) < far(best) ? offset : best), 0)
}

test.each(quickCases(CUT_SOURCES, ['OBS hybrid MP4, three tracks']))(
  'cuts of %s have the chosen pictures and no other',
  async (name, clip, copies) => {
    const source = join(folder, 'source')
    await makeClip({ path: source, width: 192, height: 108, seconds: SECONDS, ...clip })
    const { pictures } = await readShownPictures(source)
    const tracks = clip.audioCodec === null ? 0 : (clip.audioTracks ?? 1)
    const random = makeRandom(name.length * 7919)
    const copied: boolean[] = []
    for (let round = 0; round < CUTS; round += 1) {
      const parts = chooseParts(random, SECONDS - 0.5)
      const made = await cut(source, parts)
      const about = `${name} ${JSON.stringify(parts)} ${made.wholeBecause ?? 'copied'}`
      copied.push(made.wholeBecause === null)
      const shown = await readShownPictures(made.path)
      expect(shown.complaints, about).toEqual([])
      const wanted = parts.flatMap((part) => pictures.filter(isIn(part)))
      expect(shown.pictures.length, about).toBe(wanted.length)
      // What is brought to standard range looks like none of its source.
      const compared = clip.dynamicRange ? [] : wanted
      const others = compared.flatMap((picture, index) => {
        const got = shown.pictures[index]
        const offset = got && whichOf(got, pictures, pictures.indexOf(picture))
        return offset === 0 ? [] : [`${index}: ${offset}`]
      })
      expect(others, about).toEqual([])
      expectTimes(shown.pictures, made.parts, pictures, about)
      const { sounds } = await readClip(made.path)
      expect(sounds.length, about).toBe(tracks)
      const bytes = await readFile(made.path)
      expect([bytes.includes('elst'), bytes.includes('x264'), bytes.includes('Lavc')]).toEqual([
        false,
        false,
        false,
      ])
    }
    expect(copied.some(Boolean) || !copies, name).toBe(true)
  },
)

/** Pictures are as far apart as they were, at joints too, and the whole is as long as its parts. */
function expectTimes(
  shown: readonly ShownPicture[],
  parts: readonly CutPart[],
  source: readonly ShownPicture[],
  about: string,
): void {
  let before = 0
  const wanted = parts.flatMap((part) => {
    const moved = source
      .filter(isIn(part))
      .map(({ seconds }) => before + seconds - part.fromSeconds)
    before += part.toSeconds - part.fromSeconds
    return moved
  })
  expect(shown[0]?.seconds, about).toBeCloseTo(0, 3)
  const late = shown.filter(
    ({ seconds }, index) => Math.abs(seconds - (wanted[index] ?? -1)) > 0.004,
  )
  expect(
    late.map(({ seconds }) => seconds),
    about,
  ).toEqual([])
}

const FLASHES: [string, Omit<ClipOptions, 'path'>][] = [
  ['MP4', { bFrames: 2 }],
  ['three tracks', { audioTracks: 3, bFrames: 2 }],
  ['Matroska with Opus', { container: 'matroska', audioCodec: 'opus' }],
  ['44.1 kHz', { sampleRate: 44_100, bFrames: 3 }],
  ['AV1', { videoCodec: 'av1', container: 'webm', audioCodec: 'opus' }],
]

test.each(quickCases(FLASHES, []))(
  'a flash and its beep stay together after joints: %s',
  async (_name, shape) => {
    const source = join(folder, 'flash')
    await makeClip({
      path: source,
      width: 192,
      height: 108,
      seconds: 8,
      flashSeconds: 6.2,
      ...shape,
    })
    const parts = [
      { fromSeconds: 0.537, toSeconds: 1.911 },
      { fromSeconds: 2.313, toSeconds: 3.702 },
      { fromSeconds: 5.091, toSeconds: 7.4 },
    ]
    const apart = async (path: string, track: number) => {
      const { pictures } = await readShownPictures(path)
      const flash = pictures.find(({ grey }) => (grey.at(-1) ?? 0) > 128)?.seconds
      return ((await findBeep(path, track)) ?? Number.NaN) - (flash ?? Number.NaN)
    }
    for (const wholeSeconds of [0, 60]) {
      const made = await cut(source, parts, wholeSeconds)
      expect(made.wholeBecause === null).toBe(wholeSeconds === 0 && shape.videoCodec !== 'av1')
      for (let track = 0; track < (shape.audioTracks ?? 1); track += 1) {
        const moved = (await apart(made.path, track)) - (await apart(source, track))
        expect(Math.abs(moved)).toBeLessThan(0.01)
      }
    }
  },
)

const WORDS = 'The secret base is behind the mill'

/** A unit of user data in front of every picture: its length, its kind, a type, a size, an identity and the words. */
const USER_DATA = (() => {
  const payload = Buffer.concat([Buffer.alloc(16, 7), Buffer.from(WORDS)])
  const unit = Buffer.concat([Buffer.from([6, 5, payload.length]), payload, Buffer.from([0x80])])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(unit.length)
  return Buffer.concat([length, unit])
})()

async function plantUserData(from: string, path: string): Promise<void> {
  const source = await openSource(from)
  const output = openMp4(path, { kind: 'rewrite' }, 0)
  const streams = [source.video, ...source.audio]
  const sinks = streams.map((stream) => {
    const track = addCopiedTrack(output, stream)
    return deliverTo(output, track, { interleaved: true })
  })
  beginMp4(output)
  await readPackets(source, (packet) => {
    const place = streams.findIndex(({ index }) => index === packet.streamIndex)
    const stream = streams[place]
    if (!stream) return
    if (stream === source.video) {
      const { data, pts, dts, duration, flags, streamIndex } = packet
      packet.data = Buffer.concat([USER_DATA, data ?? Buffer.alloc(0)])
      Object.assign(packet, { pts, dts, duration, flags, streamIndex })
    }
    sinks[place]?.(packet, stream.timeBase)
  })
  closeSource(source)
  await finishMp4(output)
}

test('a short cut has the rate, the channels and the colours that an upload of its source keeps', async () => {
  const source = await makeClip({
    path: join(folder, 'kept.mp4'),
    ...{ frameRate: 120, seconds: 4, keyFrameSeconds: 2, bFrames: 2, channels: 6 },
    ...{ colors: 'p3', fullRange: true, pixelFormat: 'yuvj420p', solid: '0xc83c28' },
  })
  const made = await cut(source, [{ fromSeconds: 0.5, toSeconds: 3.65 }], 60)
  expect(made.wholeBecause).toBe('It is short.')
  const { pictures, sounds } = await readClip(made.path)
  expect(pictures[0]?.times).toHaveLength(378)
  expect(sounds.map(({ channels }) => channels)).toEqual([6])
  expect((await decodeAll(made.path)).colors).toEqual((await decodeAll(source)).colors)
  const [own, kept] = [await readStill(source, 1.5), await readStill(made.path, 1)]
  for (const [x, y] of [
    [0.1, 0.1],
    [0.5, 0.5],
    [0.9, 0.7],
  ] as const) {
    for (const [channel, value] of own.at(x, y).entries()) {
      expect(Math.abs(value - (kept.at(x, y)[channel] ?? 0))).toBeLessThan(12)
    }
  }
})

const KEPT: [string, Omit<ClipOptions, 'path'>][] = [
  ['7.1', { channels: 8 }],
  ['mono and BT.601 in MKV', { container: 'matroska', channels: 1, colors: 'bt601' }],
  [
    'a second of 120 fps among 30 fps',
    { frameRate: 120, filters: ["select='not(mod(n,4))+between(t,1,2)'"] },
  ],
]

test.each(quickCases(KEPT, ['mono and BT.601 in MKV', 'a second of 120 fps among 30 fps']))(
  'a short cut keeps what an upload keeps: %s',
  async (name, clip) => {
    const source = join(folder, `kept ${name}`)
    await makeClip({ path: source, width: 192, height: 108, seconds: 4, bFrames: 2, ...clip })
    const part = { fromSeconds: 0.5, toSeconds: 3.6 }
    const made = await cut(source, [part], 60)
    const [own, kept] = [await readClip(source), await readClip(made.path)]
    const shown =
      own.pictures[0]?.times.filter(
        (seconds) => seconds > part.fromSeconds - TOLERANCE && seconds < part.toSeconds - TOLERANCE,
      ) ?? []
    expect(kept.pictures[0]?.times).toHaveLength(shown.length)
    expect(kept.sounds.map(({ channels }) => channels)).toEqual([clip.channels ?? 2])
    expect((await decodeAll(made.path)).colors).toEqual((await decodeAll(source)).colors)
  },
)

longTest('a cut from the start has the sound that begins before the first picture', async () => {
  const source = await makeClip({
    path: join(folder, 'late-picture.mp4'),
    ...{ width: 192, height: 108, seconds: 6, keyFrameSeconds: 1, bFrames: 2, isNoise: true },
    ...{ startSeconds: 0.067, audioDelaySeconds: -0.067 },
  })
  for (const wholeSeconds of [0, 60]) {
    const made = await cut(source, [{ fromSeconds: 0, toSeconds: 4 }], wholeSeconds)
    expect(made.wholeBecause === null).toBe(wholeSeconds === 0)
    expect(made.durationSeconds).toBeCloseTo(4, 2)
    expect(made.parts).toEqual([{ fromSeconds: 0, toSeconds: expect.closeTo(4, 1) }])
    const [own, kept] = [await readClip(source), await readClip(made.path)]
    const shown = own.pictures[0]?.times.filter((seconds) => seconds < 3.99) ?? []
    expect(kept.pictures[0]?.times.slice(1)).toEqual(
      shown.slice(1).map((seconds) => expect.closeTo(seconds, 2)),
    )
    expect(kept.pictures[0]?.times[0]).toBe(0)
  }
})

test('a cut of a stretch in which the picture stands still has it once', async () => {
  const source = await makeClip({
    path: join(folder, 'still.mp4'),
    ...{ seconds: 2, variableFrameRate: true, lastPictureSeconds: 4 },
  })
  const made = await cut(source, [{ fromSeconds: 2.5, toSeconds: 4.5 }], 60)
  const { pictures, durationSeconds } = await readClip(made.path)
  expect(pictures[0]?.times).toEqual([0])
  expect(durationSeconds).toBeCloseTo(2, 1)
})

longTest(
  'a cut has the sound first that is not silent, of an upload that has another one first',
  async () => {
    const source = await makeClip({
      path: join(folder, 'silent-first.mkv'),
      ...{ container: 'matroska', width: 192, height: 108, seconds: 4, keyFrameSeconds: 1 },
      ...{ audioTracks: 2, audioLanguages: ['eng', 'ger'], soundGains: [-200, 0] },
    })
    for (const wholeSeconds of [0, 60]) {
      const made = await cut(source, [{ fromSeconds: 0.4, toSeconds: 3.4 }], wholeSeconds)
      expect(made.wholeBecause === null).toBe(wholeSeconds === 0)
      expect(made.soundLanguage).toBe('ger')
      expect(await findBeep(made.path, 0)).not.toBeNull()
      expect(await findBeep(made.path, 1)).toBeNull()
    }
  },
)

longTest(
  'of interlaced pictures the result has those that are played, each field of them one of its own',
  async () => {
    const source = await makeClip({
      path: join(folder, 'fields.mp4'),
      ...{ width: 192, height: 108, interlaced: true, frameRate: 50, seconds: 4, bFrames: 2 },
    })
    const played = join(folder, 'played.mp4')
    await runMediaTask({ kind: 'transcode', sourcePath: source, outputPath: played }, LIMITS)
    const { pictures } = await readShownPictures(played)
    expect(pictures.length).toBe(200)
    const rate = 50
    for (const [from, second] of [
      [30, 101],
      [31, 140],
    ] as const) {
      const parts = [
        { fromSeconds: from / rate, toSeconds: (from + 41) / rate },
        { fromSeconds: second / rate, toSeconds: (second + 30) / rate },
      ]
      const made = await cut(source, parts, 60)
      expect(made.parts.map(({ fromSeconds }) => fromSeconds)).toEqual([from / rate, second / rate])
      const shown = (await readShownPictures(made.path)).pictures
      const wanted = parts.flatMap((part) => pictures.filter(isIn(part)))
      expect(wanted.length).toBe(71)
      expect(shown.map(({ seconds }) => Math.round(seconds * rate))).toEqual([...wanted.keys()])
      const offsets = wanted.map((picture, index) =>
        whichOf(shown[index] as ShownPicture, pictures, pictures.indexOf(picture)),
      )
      expect(offsets.filter(Boolean)).toEqual([])
    }
  },
)

longTest('of more pictures a second than are played the result has those that are', async () => {
  const source = await makeClip({
    path: join(folder, 'fast.mkv'),
    // Every other key frame is a picture that is not played.
    ...{ container: 'matroska', frameRate: 120, seconds: 3, keyFrameSeconds: 0.625 },
    ...{ width: 192, height: 108, audioCodec: null },
  })
  const played = join(folder, 'played-fast.mp4')
  await runMediaTask({ kind: 'transcode', sourcePath: source, outputPath: played }, LIMITS)
  const { pictures } = await readShownPictures(played)
  const made = await cut(source, [{ fromSeconds: 151 / 60, toSeconds: 178 / 60 }], 60)
  const shown = (await readShownPictures(made.path)).pictures
  expect(shown.length).toBe(27)
  const offsets = shown.map((picture, index) => whichOf(picture, pictures, 151 + index))
  expect(offsets.filter(Boolean)).toEqual([])
})

longTest('nothing that stood in a dropped part is in the result', async () => {
  const plain = join(folder, 'plain')
  const source = join(folder, 'planted')
  const white = "drawbox=color=white:thickness=fill:enable='between(t,3,5)'"
  const clip = { width: 192, height: 108, seconds: 8, keyFrameSeconds: 1, bFrames: 2 }
  const metadata = { title: WORDS, comment: WORDS }
  await makeClip({ path: plain, ...clip, filters: [white], metadata })
  await plantUserData(plain, source)
  expect((await readFile(source)).includes(WORDS)).toBe(true)
  const parts = [
    { fromSeconds: 0.4, toSeconds: 2.97 },
    { fromSeconds: 5.04, toSeconds: 7.5 },
  ]
  for (const wholeSeconds of [0, 60]) {
    const made = await cut(source, parts, wholeSeconds)
    expect(made.wholeBecause === null).toBe(wholeSeconds === 0)
    expect((await readFile(made.path)).includes(WORDS)).toBe(false)
    const { pictures } = await readShownPictures(made.path)
    const blank = pictures.filter(({ grey }) => grey.every((value) => value > 200))
    expect(blank).toEqual([])
  }
})
