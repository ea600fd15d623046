import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { type ClipOptions, makeClip } from '#test/support/clips.ts'
import { quickCases } from '#test/support/long-form.ts'
import { listVideos, processFile } from '#test/support/processed-clip.ts'
import { measureShift, RATE, readSoundLine, WINDOW } from '#test/support/sound-times.ts'

const LIMITS = { timeoutMs: 120_000 }

/** What people do not notice; seconds. */
const MOST = 0.02

type Shape = Omit<ClipOptions, 'path'>

const fiveGaps: [number, number][] = [1, 2, 3, 4, 5].map((at) => [at - 0.001, at + 0.039])
const oneGap: [number, number][] = [[2.95, 3.035]]
/** As recorders write while they go on: nothing says what is to be left out. */
const fragments = { muxerOptions: { movflags: '+frag_keyframe+empty_moov+default_base_moof' } }

const SHAPES: [string, Shape][] = [
  ['Matroska with five gaps of 40 ms', { container: 'matroska', audioCodec: 'opus', soundGaps: fiveGaps }],
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
  ['44.1 kHz with gaps', { sampleRate: 44_100, soundGaps: fiveGaps, audioTracks: 2 }],
]

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sound-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function makeSource(shape: Shape) {
  const base = await mkdtemp(join(folder, 'clip-'))
  const options = { isNoise: true, seconds: 7, keyFrameSeconds: 2, ...shape }
  const path = await makeClip({ path: join(base, 'clip'), ...options })
  return { base, path, line: await readSoundLine(path) }
}

type Kept = { from: number; to: number; at: number }

/** Where the sound of a result is not, of the stretches of the source that it has. */
async function findShifts(result: string, source: string, kept: Kept[], track = 0) {
  const [made, own] = [await readSoundLine(result, track), await readSoundLine(source, track)]
  const found: [number, number | null][] = []
  for (const { from, to, at } of kept) {
    for (let seconds = from; seconds + WINDOW <= to; seconds += WINDOW) {
      const heard = own.samples.subarray(Math.round(seconds * RATE), Math.round((seconds + WINDOW) * RATE))
      // A stretch with hardly anything in it is like any other.
      if (heard.filter((one) => one === 0).length > heard.length / 2) continue
      const shift = measureShift(made, own, { source: seconds, result: at + seconds - from })
      if (shift === null || Math.abs(shift) > MOST) found.push([seconds, shift])
    }
  }
  return found
}

test.each(quickCases(SHAPES, []))('in what an upload becomes, the sound of %s is where the source has it', async (_, shape) => {
  const { base, path } = await makeSource(shape)
  const made = await processFile(path, { base, heights: [180, 120] })
  const whole = [{ from: 0, to: 7, at: 0 }]
  for (const file of listVideos(made)) {
    expect([file.slice(base.length), await findShifts(file, path, whole)]).toEqual([file.slice(base.length), []])
  }
})

test.each(quickCases(SHAPES, []))('in a clip, the sound of %s is where the source has it', async (_, shape) => {
  const { base, path } = await makeSource(shape)
  for (const [startSeconds, endSeconds] of [[0, 2.5], [0.1, 2], [2.2, 6.5]] as const) {
    const outputPath = join(base, `clip-${startSeconds}.mp4`)
    await runMediaTask({ kind: 'clip', sourcePath: path, outputPath, startSeconds, endSeconds }, LIMITS)
    const kept = [{ from: startSeconds, to: endSeconds, at: 0 }]
    expect([startSeconds, await findShifts(outputPath, path, kept)]).toEqual([startSeconds, []])
  }
})

test.each(quickCases(SHAPES, []))('in a cut, the sound of %s is where the source has it', async (_, shape) => {
  const { base, path } = await makeSource(shape)
  for (const wholeSeconds of [0, 60]) {
    const outputFolder = join(base, `cut-${wholeSeconds}`)
    await mkdir(outputFolder)
    const parts = [{ fromSeconds: 0, toSeconds: 1.6 }, { fromSeconds: 2.3, toSeconds: 6.4 }]
    const made = await runMediaTask({ kind: 'cut', sourcePath: path, outputFolder, parts, wholeSeconds }, LIMITS)
    let at = 0
    const kept = made.parts.map(({ fromSeconds, toSeconds }) => {
      const one = { from: fromSeconds, to: toSeconds, at }
      at += toSeconds - fromSeconds
      return one
    })
    const result = join(outputFolder, made.videoFile)
    expect([wholeSeconds, made.wholeBecause, await findShifts(result, path, kept)]).toEqual([wholeSeconds, made.wholeBecause, []])
  }
})

test.each(quickCases(SHAPES, []))('in a montage, the sound of %s is where the source has it', async (_, shape) => {
  const { base, path } = await makeSource(shape)
  const outputFolder = join(base, 'montage')
  await mkdir(outputFolder)
  const parts = [[0, 2.6], [2.2, 6.6]].map(([fromSeconds = 0, toSeconds = 0]) => ({ sourcePath: path, name: 'x', fromSeconds, toSeconds }))
  await runMediaTask({ kind: 'montage', outputFolder, parts, transition: 'cut', titleCard: null }, LIMITS)
  const kept = [{ from: 0, to: 2.6, at: 0 }, { from: 2.2, to: 6.6, at: 2.6 }]
  expect(await findShifts(join(outputFolder, 'video.mp4'), path, kept)).toEqual([])
})
