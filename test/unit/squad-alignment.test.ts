import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alignSounds, measureSoundOffset } from '#server/video/processing/sound/align-sounds.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { makeClip } from '#test/support/clips.ts'
import { quickCases } from '#test/support/long-form.ts'
import {
  type MatchRecording,
  makeMatchRecording,
  makeScene,
} from '#test/support/match-recordings.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alignment-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const limits = { timeoutMs: 120_000 }
const align = async (...sourcePaths: string[]) =>
  (await runMediaTask({ kind: 'align', sourcePaths }, limits)).offsets

type Format = Pick<MatchRecording, 'container' | 'audioCodec' | 'sampleRate'>

const formats: Format[] = [
  { container: 'mp4', audioCodec: 'aac', sampleRate: 48_000 },
  { container: 'matroska', audioCodec: 'opus', sampleRate: 48_000 },
  { container: 'avi', audioCodec: 'mp3', sampleRate: 44_100 },
  { container: 'mov', audioCodec: 'pcm', sampleRate: 22_050 },
  { container: 'matroska', audioCodec: 'aac', sampleRate: 22_050 },
  { container: 'mp4', audioCodec: 'mp3', sampleRate: 48_000 },
  { container: 'mp4', audioCodec: 'aac', sampleRate: 44_100 },
]

const WITH_NOTHING_IN_COMMON = ['match 19', 'match 20']
const MOST_ERROR_SECONDS = 0.04

type Match = {
  number: number
  /** The second recording begins this much later. */
  apartSeconds: number
  seconds: number
}

const matches = Array.from({ length: 20 }, (_, index): [string, Match] => [
  `match ${index + 1}`,
  { number: index + 1, apartSeconds: 0.05 + (0.45 * index) / 19, seconds: 60 + (index % 4) * 10 },
])

/** Two members record a match, each with their own voice, noise, loudness and format. */
async function recordMatch({ number, apartSeconds, seconds }: Match, hasCommon: boolean) {
  const scene = makeScene(number, seconds + 1)
  const other = hasCommon ? scene : makeScene(number + 1000, seconds + 1)
  const common = { fromSeconds: 0, toSeconds: seconds }
  const one = await makeMatchRecording(folder, {
    ...{ scene, ...common, ...formats[number % formats.length], seed: 2 * number },
    gainDecibels: -14 + (number % 13),
    noiseDecibels: -32 + ((number * 5) % 13),
    voiceDecibels: -14 + (number % 3) * 3,
  })
  const two = await makeMatchRecording(folder, {
    ...{ scene: other, ...formats[(number * 3 + 2) % formats.length], seed: 2 * number + 1 },
    fromSeconds: apartSeconds,
    toSeconds: seconds - 5,
    gainDecibels: -14 + ((number * 7) % 13),
    noiseDecibels: -32 + ((number * 11) % 13),
    voiceDecibels: -14 + ((number + 1) % 3) * 3,
  })
  return [one, two] as const
}

test.for(quickCases(matches, ['match 2', 'match 9', 'match 14', 'match 20']))(
  'two recordings of %s are aligned by their sound, or refused if they have nothing in common',
  async ([name, match], { annotate }) => {
    const hasCommon = !WITH_NOTHING_IN_COMMON.includes(name)
    const [one, two] = await recordMatch(match, hasCommon)
    const [first, second] = await align(one, two)
    if (!hasCommon) {
      expect([first, second]).toEqual([null, null])
      return
    }
    expect(first).toBe(0)
    const error = Math.abs((second ?? Number.POSITIVE_INFINITY) - match.apartSeconds)
    await annotate(`${name}: ${(error * 1000).toFixed(1)} ms`)
    expect(error).toBeLessThan(MOST_ERROR_SECONDS)
  },
)

/** Onsets as of shots at random times. */
function makeOnsets(seed: number, seconds: number): Float32Array {
  let state = seed
  const random = () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
  return Float32Array.from({ length: seconds * 100 }, () => (random() < 0.03 ? 1 + random() : 0))
}

test('one that begins later than another ends is placed through a third', () => {
  const match = makeOnsets(7, 90)
  const [first, last] = [match.slice(0, 4000), match.slice(5000)]
  const between = match.slice(2000, 7500)
  const places = alignSounds([first, last, between])
  expect(places.map((place) => Math.round(place ?? Number.NaN))).toEqual([0, 50, 20])
})

test('one of another match is left out, and the others are placed', () => {
  const match = makeOnsets(11, 60)
  const places = alignSounds([match, makeOnsets(12, 60), match.slice(250)])
  expect(places[1]).toBeNull()
  expect(places[2]).toBeCloseTo(2.5, 1)
})

test('recordings find their places beside a first one without sound', () => {
  const match = makeOnsets(17, 60)
  const places = alignSounds([new Float32Array(0), match, match.slice(300)])
  expect(places).toEqual([null, 0, expect.closeTo(3, 1)])
})

test('two matches that begin with the same melody are refused', () => {
  const melody = makeOnsets(3, 12)
  const join = (rest: Float32Array) => Float32Array.from([...melody, ...rest])
  const [one, other] = [join(makeOnsets(21, 60)), join(makeOnsets(22, 60))]
  expect(measureSoundOffset(one, other)?.seconds).toBeCloseTo(0, 1)
  expect(alignSounds([one, other])).toEqual([null, null])
})

test('a recording that repeats itself is refused, since it fits in two places', () => {
  const loop = makeOnsets(5, 20)
  const song = Float32Array.from([...loop, ...loop, ...loop])
  expect(alignSounds([song, song.slice(100)])).toEqual([null, null])
})

test('recordings without sound, with silence or too short are refused', async () => {
  const recording = { container: 'mp4', width: 64, height: 36, seconds: 12 } as const
  const mute = await makeClip({ ...recording, path: join(folder, 'mute'), audioCodec: null })
  const silent = await makeClip({ ...recording, path: join(folder, 'silent'), soundGain: -200 })
  const short = await makeClip({ ...recording, path: join(folder, 'short'), seconds: 2 })
  expect(await align(mute, silent, short)).toEqual([null, null, null])
})
