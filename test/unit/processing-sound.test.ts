import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  findSoundShift,
  lineRate,
  type SoundLine,
} from '#server/video/processing/sound/sound-shift.ts'
import { findSoundFlaw } from '#server/video/processing/tasks/cut-proof.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { type ClipOptions, makeClip, readClip } from '#test/support/clips.ts'
import { isLongForm, longTest, quickCases } from '#test/support/long-form.ts'
import { listVideos, processFile } from '#test/support/processed-clip.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import {
  findMisplaced,
  type KeptStretch,
  readResultTimes,
  readSourceTimes,
} from '#test/support/sound-times.ts'

const LIMITS = { timeoutMs: 120_000 }

type Shape = Omit<ClipOptions, 'path'>

const fiveGaps: [number, number][] = [1, 2, 3, 4, 5].map((at) => [at - 0.001, at + 0.039])
const oneGap: [number, number][] = [[2.95, 3.035]]
/** As recorders write while they go on: nothing says what is to be left out. */
const fragments = { muxerOptions: { movflags: '+frag_keyframe+empty_moov+default_base_moof' } }

const SHAPES: [string, Shape][] = [
  [
    'Matroska with five gaps of 40 ms',
    { container: 'matroska', audioCodec: 'opus', soundGaps: fiveGaps },
  ],
  ['an MP4 with 85 ms missing', { soundGaps: oneGap }],
  ['an MP4 with five gaps of 40 ms', { bFrames: 2, soundGaps: fiveGaps }],
  ['MP3 with 85 ms missing', { audioCodec: 'mp3', container: 'matroska', soundGaps: oneGap }],
  ['a fragmented MP4 whose first picture is late', { bFrames: 2, frameRate: 30, ...fragments }],
  ['sound that begins before its picture', { startSeconds: 0.4, audioDelaySeconds: -0.4 }],
  [
    'Matroska whose sound begins before its picture',
    { container: 'matroska', startSeconds: 0.4, audioDelaySeconds: -0.4, bFrames: 2 },
  ],
  ['a picture that begins before its sound', { audioDelaySeconds: 0.35, bFrames: 2 }],
  ['44.1 kHz with gaps', { sampleRate: 44_100, soundGaps: fiveGaps }],
]

/** Containers without an index, whose clocks begin anywhere. */
const STREAMED: [string, Shape][] = [
  ['FLV as OBS writes it', { container: 'flv', bFrames: 2 }],
  [
    'FLV of before',
    { container: 'flv', videoCodec: 'flv1', audioCodec: 'mp3', sampleRate: 44_100 },
  ],
  ['MPEG-TS as OBS writes it', { container: 'mpegts', bFrames: 2 }],
  ['MPEG-TS with five gaps of 40 ms', { container: 'mpegts', bFrames: 2, soundGaps: fiveGaps }],
  ['MPEG-TS whose clock wraps', { container: 'mpegts', bFrames: 2, startSeconds: 95_438 }],
  ['HEVC in MPEG-TS', { container: 'mpegts', videoCodec: 'hevc' }],
  [
    'M2TS as cameras write it',
    { container: 'mpegts', bFrames: 2, audioCodec: 'ac3', muxerOptions: { mpegts_m2ts_mode: '1' } },
  ],
  [
    'MPEG-PS',
    { container: 'mpegps', videoCodec: 'mpeg2', audioCodec: 'mp2', frameRate: 25, bFrames: 2 },
  ],
  ['WMV', { container: 'asf', videoCodec: 'wmv2', audioCodec: 'wmav2' }],
  [
    'WMV of a variable rate',
    { container: 'asf', videoCodec: 'wmv2', audioCodec: 'wmav2', variableFrameRate: true },
  ],
  ['Ogg', { container: 'ogg', videoCodec: 'vp8', audioCodec: 'opus' }],
]

const folder = setUpFolder('sound')

async function makeSource(shape: Shape) {
  const base = await mkdtemp(join(folder, 'clip-'))
  const options = { isNoise: true, seconds: 7, keyFrameSeconds: 2, ...shape }
  const path = await makeClip({ path: join(base, 'clip'), ...options })
  return { base, path, times: await readSourceTimes(path) }
}

type Recording = Awaited<ReturnType<typeof makeSource>>

const findShifts = async (result: string, { times }: Recording, kept: KeptStretch[]) =>
  findMisplaced(await readResultTimes(result), times, kept)

test.each(quickCases([...SHAPES, ...STREAMED], []))(
  'in what an upload becomes, the sound of %s is where the source has it',
  async (_, shape) => {
    const recording = await makeSource(shape)
    const { base, path } = recording
    const made = await processFile(path, { base, heights: [180, 120] })
    const whole = [{ from: 0, to: 7, at: 0 }]
    for (const file of listVideos(made)) {
      expect([file.slice(base.length), await findShifts(file, recording, whole)]).toEqual([
        file.slice(base.length),
        [],
      ])
    }
  },
)

test.each(quickCases(SHAPES, ['a fragmented MP4 whose first picture is late']))(
  'in a clip, the sound of %s is where the source has it',
  async (_, shape) => {
    const recording = await makeSource(shape)
    const { base, path } = recording
    for (const [startSeconds, endSeconds] of [
      [0, 2.5],
      [0.1, 2],
      [2.2, 6.5],
    ] as const) {
      const outputPath = join(base, `clip-${startSeconds}.mp4`)
      await runMediaTask(
        { kind: 'clip', sourcePath: path, outputPath, startSeconds, endSeconds },
        LIMITS,
      )
      const kept = [{ from: startSeconds, to: endSeconds, at: 0 }]
      expect([startSeconds, await findShifts(outputPath, recording, kept)]).toEqual([
        startSeconds,
        [],
      ])
    }
  },
)

/** Flashes and beeps of `processing-cut.test.ts` prove the same in `npm test`. */
longTest.each([...SHAPES, ...STREAMED])(
  'in a cut, the sound of %s is where the source has it',
  async (_, shape) => {
    const recording = await makeSource(shape)
    const { base, path } = recording
    for (const wholeSeconds of [0, 60]) {
      const outputFolder = join(base, `cut-${wholeSeconds}`)
      await mkdir(outputFolder)
      const parts = [
        { fromSeconds: 0, toSeconds: 1.6 },
        { fromSeconds: 2.3, toSeconds: 6.4 },
      ]
      const made = await runMediaTask(
        { kind: 'cut', sourcePath: path, outputFolder, parts, wholeSeconds },
        LIMITS,
      )
      let at = 0
      const kept = made.parts.map(({ fromSeconds, toSeconds }) => {
        const one = { from: fromSeconds, to: toSeconds, at }
        at += toSeconds - fromSeconds
        return one
      })
      const result = join(outputFolder, made.videoFile)
      expect([wholeSeconds, made.wholeBecause, await findShifts(result, recording, kept)]).toEqual([
        wholeSeconds,
        made.wholeBecause,
        [],
      ])
    }
  },
)

longTest.each(SHAPES)(
  'in a montage, the sound of %s is where the source has it',
  async (_, shape) => {
    const recording = await makeSource(shape)
    const { base, path } = recording
    const outputFolder = join(base, 'montage')
    await mkdir(outputFolder)
    const parts = [
      [0, 2.6],
      [2.2, 6.6],
    ].map(([fromSeconds = 0, toSeconds = 0]) => ({
      sourcePath: path,
      name: 'x',
      fromSeconds,
      toSeconds,
    }))
    await runMediaTask(
      { kind: 'montage', outputFolder, parts, transition: 'cut', titleCard: null },
      LIMITS,
    )
    const kept = [
      { from: 0, to: 2.6, at: 0 },
      { from: 2.2, to: 6.6, at: 2.6 },
    ]
    expect(await findShifts(join(outputFolder, 'video.mp4'), recording, kept)).toEqual([])
  },
)

const early = { startSeconds: 0.4, audioDelaySeconds: -0.4 }
const EARLY: [string, Shape][] = [
  ['MP4', early],
  ['a fragmented MP4', { ...early, ...fragments, bFrames: 2 }],
  ['Matroska', { ...early, container: 'matroska' }],
  ['MPEG-TS', { ...early, container: 'mpegts' }],
  ['FLV', { ...early, container: 'flv' }],
  ['an MP4 with two tracks', { ...early, audioTracks: 2 }],
]

/** When something is heard for the first time, of each track. */
const listFirstSounds = ({ sounds }: { sounds: SoundLine[] }) =>
  sounds.map(({ samples }) => samples.findIndex((one) => Math.abs(one) > 0.01) / lineRate)

async function expectNoSilence(result: string, recording: Recording, kept: KeptStretch) {
  const own = listFirstSounds(recording.times)
  for (const [track, seconds] of listFirstSounds(await readResultTimes(result)).entries()) {
    expect(seconds).toBeGreaterThanOrEqual(0)
    expect(seconds).toBeLessThan((own[track] ?? 0) + 0.02)
  }
  expect(await findShifts(result, recording, [kept])).toEqual([])
}

test.each(quickCases(EARLY, ['MP4']))(
  'a clip from 0 of %s whose sound begins before its picture begins with that sound',
  async (_, shape) => {
    const recording = await makeSource({ ...shape, seconds: 1.2, width: 64, height: 36 })
    const { base, path } = recording
    const outputPath = join(base, 'clip.mp4')
    const range = { startSeconds: 0, endSeconds: 1 }
    await runMediaTask({ kind: 'clip', sourcePath: path, outputPath, ...range }, LIMITS)
    await expectNoSilence(outputPath, recording, { from: 0, to: 1, at: 0 })
  },
)

test.each(isLongForm ? EARLY : [])(
  'a cut, whole or in part, of %s whose sound begins before its picture begins with that sound',
  async (_, shape) => {
    const recording = await makeSource({ ...shape, seconds: 4, keyFrameSeconds: 1 })
    const { base, path } = recording
    for (const wholeSeconds of [0, 60]) {
      const outputFolder = join(base, `cut-${wholeSeconds}`)
      await mkdir(outputFolder)
      const parts = [{ fromSeconds: 0, toSeconds: 2 }]
      const made = await runMediaTask(
        { kind: 'cut', sourcePath: path, outputFolder, parts, wholeSeconds },
        LIMITS,
      )
      const result = join(outputFolder, made.videoFile)
      // A late first picture is where a copy begins.
      const from = made.parts[0]?.fromSeconds ?? 0
      expect(from).toBeLessThan(0.1)
      await expectNoSilence(result, recording, { from, to: 1.8, at: 0 })
    }
  },
)

test.each(isLongForm ? EARLY : [])(
  'what is played and shared of %s whose sound begins before its picture begins with that sound',
  async (_, shape) => {
    // Too large for chats as it is.
    const recording = await makeSource({ ...shape, seconds: 2, width: 1280, height: 800 })
    const { base, path } = recording
    const made = await processFile(path, { base, heights: [360] })
    expect(made.files.map(({ kind }) => kind)).toContain('share')
    for (const file of listVideos(made)) {
      await expectNoSilence(file, recording, { from: 0, to: 2, at: 0 })
    }
  },
)

test('the proof of a cut notices a sound that is not where its source has it', async () => {
  const shape = { seconds: 3, audioDelaySeconds: 0 }
  const [own, late] = [
    await makeSource(shape),
    await makeSource({ ...shape, audioDelaySeconds: 0.04 }),
  ]
  const whole = { sourcePath: own.path, parts: [{ fromSeconds: 0, toSeconds: 3 }] }
  expect(await findSoundFlaw(own.path, whole)).toBeNull()
  expect(await findSoundFlaw(late.path, whole)).toMatch(/is 0.04 s late in track 1/)
})

test('two recordings joined byte by byte are one, with sound and picture together in both', async () => {
  const recording = await makeSource({ container: 'mpegts', bFrames: 2, seconds: 3 })
  const { base, path } = recording
  const joined = join(base, 'joined')
  const bytes = await readFile(path)
  await writeFile(joined, Buffer.concat([bytes, bytes]))
  const made = await processFile(joined, { base, heights: [180] })
  expect(made.durationSeconds).toBeGreaterThan(6)
  expect(made.durationSeconds).toBeLessThan(6.15)
  const second = made.durationSeconds - (await readSeconds(path))
  const kept = [
    { from: 0, to: 2.8, at: 0 },
    { from: 0, to: 2.8, at: second },
  ]
  for (const file of listVideos(made)) {
    expect([file.slice(base.length), await findShifts(file, recording, kept)]).toEqual([
      file.slice(base.length),
      [],
    ])
  }
})

longTest(
  'a stream that is cut off at both ends plays from its first key frame to where it ends',
  async () => {
    const { base, path, times } = await makeSource({ container: 'mpegts', bFrames: 2, seconds: 6 })
    const bytes = await readFile(path)
    const part = join(base, 'part')
    const quarter = Math.floor(bytes.length / 4)
    await writeFile(part, bytes.subarray(quarter, -quarter))
    const made = await processFile(part, { base, heights: [180] })
    expect(made.durationSeconds).toBeGreaterThan(2.4)
    expect(made.durationSeconds).toBeLessThan(3.4)
    // Where the part lies in the whole is found by a sound in it.
    const [line] = (await readResultTimes(made.playablePath)).sounds
    const whole = times.sounds[0]
    if (!line || !whole) throw new Error('There is no sound.')
    const starts = Array.from({ length: 40 }, (_, index) => 1 + index * 0.05)
    const likest = starts
      .map((at) =>
        findSoundShift({ source: line, result: whole }, { source: 2, result: at + 2 }, 0.02),
      )
      .map((found, index) => ({ ...found, at: (starts[index] ?? 0) + (found?.seconds ?? 0) }))
      .sort((one, other) => (other.likeness ?? 0) - (one.likeness ?? 0))[0]
    expect(likest?.likeness).toBeGreaterThan(0.8)
    const kept = [{ from: (likest?.at ?? 0) + 1.6, to: (likest?.at ?? 0) + 2.4, at: 1.6 }]
    for (const file of listVideos(made)) {
      expect(findMisplaced(await readResultTimes(file), times, kept)).toEqual([])
    }
  },
)

longTest('Theora and Vorbis keep their times, and the cut page knows the key frames', async () => {
  const base = await mkdtemp(join(folder, 'theora-'))
  const path = fileURLToPath(new URL('../fixtures/theora.ogv', import.meta.url))
  const times = await readSourceTimes(path)
  const made = await processFile(path, { base, heights: [72] })
  expect(made.probe).toMatchObject({ videoCodec: 'theora', audioCodecs: ['vorbis'], frameRate: 25 })
  for (const file of listVideos(made)) {
    const kept = [{ from: 0, to: 2, at: 0 }]
    expect(findMisplaced(await readResultTimes(file), times, kept)).toEqual([])
  }
  const found = await runMediaTask({ kind: 'key-frames', sourcePath: path }, LIMITS)
  expect(found).toMatchObject({ frameRate: 25, keyFrameSeconds: expect.arrayContaining([0]) })
  expect(Math.abs(found.durationSeconds - made.probe.durationSeconds)).toBeLessThan(0.02)
})

longTest('pictures that a program stream gives no times are shown where they belong', async () => {
  const base = await mkdtemp(join(folder, 'untimed-'))
  const clip = { container: 'mpegps', audioCodec: 'mp2', bFrames: 2, seconds: 3 } as const
  const path = await makeClip({ path: join(base, 'clip'), ...clip })
  const source = (await readClip(path)).pictures[0]?.times ?? []
  expect(source.filter((time) => Math.abs(time) > 1e9)).not.toEqual([])
  const outputPath = join(base, 'made.mp4')
  await runMediaTask(
    { kind: 'transcode', sourcePath: path, outputPath, quickShortSide: 180 },
    LIMITS,
  )
  const times = (await readClip(outputPath)).pictures[0]?.times ?? []
  expect(times).toHaveLength(90)
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  expect(Math.max(...steps)).toBeLessThan(0.036)
  expect(Math.min(...steps)).toBeGreaterThan(0.03)
})

async function readSeconds(sourcePath: string): Promise<number> {
  const found = await runMediaTask({ kind: 'key-frames', sourcePath }, LIMITS)
  return found.durationSeconds
}
