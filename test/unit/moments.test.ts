import { expect, test } from 'vitest'
import {
  drawCurve,
  findHotParts,
  type MomentEvent,
  mergeMoments,
} from '#server/video/moment/moment-score.ts'
import { findSceneChanges } from '#server/video/processing/picture/scene-changes.ts'
import { findLoudPassages } from '#server/video/processing/sound/loud-passages.ts'
import { createRandom, type Random } from '#tools/seed/random.ts'

const SECONDS = 1800
const mark = (atSeconds: number): MomentEvent => ({ source: 'mark', atSeconds, weight: 1 })

test('what happens within 20 seconds is one moment, and begins 8 seconds before it', () => {
  const moments = mergeMoments([mark(300), mark(315), mark(400)], SECONDS)
  expect(moments).toMatchObject([
    { atSeconds: 292, endSeconds: 317, count: 2 },
    { atSeconds: 392, endSeconds: 402, count: 1 },
  ])
  expect(mergeMoments([mark(3)], SECONDS)).toMatchObject([{ atSeconds: 0 }])
})

test('several that agree count more than one, and a viewer more than a new picture', () => {
  const scene = { source: 'scene' as const, atSeconds: 900, weight: 1 }
  const moments = mergeMoments([mark(100), mark(500), mark(501), scene], SECONDS)
  const [alone, together, shown] = moments.map(({ score }) => score)
  expect(together).toBeGreaterThan(alone ?? 1)
  expect(alone).toBeGreaterThan(shown ?? 1)
})

test('the curve is the heat alone without moments, and has peaks where they are', () => {
  const heat = [0.2, 1, 0.2, 0.2]
  const drawn = { durationSeconds: 400, parts: 4 }
  expect(drawCurve(heat, { events: [], ...drawn })).toEqual(heat)
  expect(drawCurve([], { events: [mark(250)], ...drawn })).toEqual([0, 0, 1, 0])
})

test('a part watched far more than others speaks for itself, evenly watched ones do not', () => {
  const even = new Array<number>(100).fill(0.9)
  expect(findHotParts(even, SECONDS)).toEqual([])
  const hot = even.map((_, part) => (part === 40 ? 1 : 0.3))
  expect(findHotParts(hot, SECONDS)).toMatchObject([{ source: 'heat', atSeconds: 729 }])
})

type Track = { loudness: number[]; scenes: { seconds: number; value: number }[] }

/** A recording of half an hour: sound that goes up and down around a level of its own, pictures that move. */
function makeTrack(random: Random): Track {
  const [level, swing, motion] = [
    -40 + random.fraction() * 20,
    0.5 + random.fraction() * 2,
    random.fraction() / 10,
  ]
  return {
    loudness: Array.from({ length: SECONDS }, () => level + random.gaussian() * swing),
    scenes: Array.from({ length: SECONDS / 2 }, (_, index) => ({
      seconds: index * 2,
      value: Math.max(0, 0.05 + motion + random.gaussian() * 0.05),
    })),
  }
}

const findIn = ({ loudness, scenes }: Track): MomentEvent[] => [
  ...findLoudPassages(loudness).map(({ seconds, weight }) => ({
    ...{ source: 'loud' as const, atSeconds: seconds, weight },
  })),
  ...findSceneChanges(scenes).map(({ seconds, weight }) => ({
    ...{ source: 'scene' as const, atSeconds: seconds, weight },
  })),
]

test('the ten best moments of 20 made-up recordings hold at least 80 % of what happens in them', () => {
  let [held, all] = [0, 0]
  for (let seed = 1; seed <= 20; seed += 1) {
    const random = createRandom(seed, 'moments')
    const track = makeTrack(random)
    // Eight in each, in stretches of their own, at any time within it.
    const times = Array.from(
      { length: 8 },
      (_, n) => 60 + n * 215 + Math.floor(random.fraction() * 150),
    )
    const marks: MomentEvent[] = []
    for (const [n, at] of times.entries()) {
      if (n % 4 === 0) {
        for (let second = 0; second < 4; second += 1) {
          const usual = track.loudness[at + second] ?? 0
          track.loudness[at + second] = usual + 14 + random.fraction() * 6
        }
      } else if (n % 4 === 1) {
        const scene = track.scenes[Math.ceil(at / 2)]
        if (scene) scene.value = 0.6 + random.fraction() * 0.4
      } else if (n % 4 === 2) marks.push(mark(at + random.fraction() * 6))
      else marks.push({ source: 'chapter', atSeconds: at + random.fraction() * 4, weight: 1 })
    }
    const best = mergeMoments([...findIn(track), ...marks], SECONDS)
      .sort((a, b) => b.score - a.score)
      .slice(0, 10)
    const isHeld = (at: number) =>
      best.some(({ atSeconds, endSeconds }) => atSeconds <= at && at <= endSeconds)
    all += times.length
    held += times.filter(isHeld).length
  }
  expect(all).toBe(160)
  expect(held / all).toBeGreaterThanOrEqual(0.8)
})

test('a recording in which nothing happens has no moment', () => {
  for (let seed = 101; seed <= 120; seed += 1) {
    expect(findIn(makeTrack(createRandom(seed, 'moments')))).toEqual([])
  }
  const scenes = Array.from({ length: 900 }, (_, n) => ({
    seconds: n * 2,
    value: 0.9 - (n % 3) / 10,
  }))
  expect(findSceneChanges(scenes)).toEqual([])
  expect(findLoudPassages(new Array<number>(SECONDS).fill(-120))).toEqual([])
})
