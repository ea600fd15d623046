import { describe, expect, test } from 'vitest'
import { parseMasterPlaylist } from '#client/features/player/source/master-playlist.ts'
import { chooseRendition, renditionOf } from '#client/features/player/stream/choose-rendition.ts'
import { createLoadedPieces } from '#client/features/player/stream/loaded-pieces.ts'
import { parseMediaPlaylist, segmentAt } from '#client/features/player/stream/media-playlist.ts'
import { createThroughput } from '#client/features/player/stream/throughput.ts'
import { writeMasterPlaylist, writeMediaPlaylist } from '#server/processing/package/hls-playlist.ts'

const BASE = 'https://clutch.example/media/a/'

describe('a media playlist', () => {
  const text = writeMediaPlaylist('480p.mp4', {
    headBytes: 1000,
    segments: [
      { start: 1000, bytes: 500, seconds: 2 },
      { start: 1500, bytes: 700, seconds: 2.5 },
      { start: 2200, bytes: 50, seconds: 0.25 },
    ],
  })

  test('is read as the server writes it', () => {
    const playlist = parseMediaPlaylist(text, `${BASE}480p.m3u8`)
    expect(playlist).toMatchObject({
      fileUrl: `${BASE}480p.mp4`,
      init: { start: 0, length: 1000 },
      durationSeconds: 4.75,
    })
    expect(playlist.segments[1]).toEqual({
      ...{ start: 1500, length: 700 },
      ...{ startSeconds: 2, endSeconds: 4.5 },
    })
  })

  test('tells the segment of each time', () => {
    const playlist = parseMediaPlaylist(text, BASE)
    const startAt = (seconds: number) => segmentAt(playlist, seconds).startSeconds
    expect([0, 1.99, 2, 4.49, 4.5, 99].map(startAt)).toEqual([0, 0, 2, 2, 4.5, 4.5])
  })

  test.each(['', '#EXTM3U\n#EXT-X-MAP:URI="a.mp4",BYTERANGE="1@0"\n', 'no playlist'])(
    'is not made of %j',
    (other) => {
      expect(() => parseMediaPlaylist(other, BASE)).toThrow(/playlist/)
    },
  )
})

test('a master playlist says what each rendition is coded with', () => {
  const facts = { averageBandwidth: 1, codecs: 'avc1.64001f,mp4a.40.2', frameRate: 60 }
  const text = writeMasterPlaylist([
    { ...facts, width: 854, height: 480, bandwidth: 900_000, playlist: '480p.m3u8' },
  ])
  expect(parseMasterPlaylist(text, `${BASE}hls.m3u8`)).toEqual([
    {
      ...{ url: `${BASE}480p.m3u8`, codecs: facts.codecs },
      ...{ lines: 480, frameRate: 60, bitRate: 900_000 },
    },
  ])
})

describe('the rendition', () => {
  const renditions = [
    { lines: 360, frameRate: 30, bitRate: 800_000 },
    { lines: 720, frameRate: 60, bitRate: 2_800_000 },
    { lines: 1080, frameRate: 60, bitRate: 6_000_000 },
  ]
  const calm = {
    ...{ renditions, quality: 'auto' as const, playerLines: 1080 },
    ...{ bandwidth: 10_000_000, aheadSeconds: 20, current: undefined },
  }

  test.each([
    ['is the largest that an ample connection carries', {}, 2],
    ['is a middle one on a connection that nobody knows', { bandwidth: null }, 0],
    ['is the smallest on a poor connection', { bandwidth: 100_000 }, 0],
    ['is no larger than what can be seen', { playerLines: 500 }, 1],
    ['may be any in a player of unknown size', { playerLines: 0 }, 2],
    ['is the chosen one', { quality: 720, bandwidth: 100_000 }, 1],
    ['is the one below a height that is not there', { quality: 1000 }, 1],
    ['rises with room to spare only', { current: 1, bandwidth: 7_000_000 }, 1],
    ['rises', { current: 1, bandwidth: 9_000_000 }, 2],
    ['stays while the buffer is full', { current: 2, bandwidth: 5_000_000 }, 2],
    ['falls when the buffer is empty', { current: 2, bandwidth: 5_000_000, aheadSeconds: 1 }, 1],
    ['falls when the player became small', { current: 2, playerLines: 360 }, 0],
  ] as const)('%s', (_, change, wanted) => {
    expect(chooseRendition({ ...calm, ...change })).toBe(wanted)
  })

  test('of a height below all is the smallest', () => {
    expect(renditionOf(renditions, 100)).toBe(0)
  })
})

test('the throughput forgets what is long ago, and leaves small answers out', () => {
  const throughput = createThroughput(4_000_000)
  throughput.add(900, 1)
  expect(throughput.estimate()).toBe(4_000_000)
  expect(throughput.measured()).toBe(null)
  throughput.add(1_000_000, 1000)
  expect(throughput.estimate()).toBeCloseTo(8_000_000)
  for (let second = 0; second < 30; second++) throughput.add(125_000, 1000)
  expect(throughput.measured()).toBeLessThan(1_700_000)
})

describe('what was loaded', () => {
  const piece = (start: number, rendition = 0) => ({
    ...{ start, end: start + 2, rendition, isHollow: false },
  })

  test('reaches as far as pieces follow on each other', () => {
    const pieces = createLoadedPieces()
    for (const start of [4, 0, 2.004, 8]) pieces.add(piece(start))
    pieces.add({ ...piece(6), isHollow: true })
    expect(pieces.loadedFrom(1)).toEqual({ until: 10, playableSeconds: 7 })
    expect(pieces.hollowUntil(7)).toBe(8)
    expect(pieces.hollowUntil(3)).toBe(3)
    expect(pieces.loadedFrom(9)).toEqual({ until: 10, playableSeconds: 1 })
    expect(pieces.loadedFrom(11)).toEqual({ until: 11, playableSeconds: 0 })
  })

  test('is replaced by what is loaded anew, and forgotten with what the browser dropped', () => {
    const pieces = createLoadedPieces()
    for (const start of [0, 2, 4]) pieces.add(piece(start))
    pieces.add(piece(2, 1))
    expect(pieces.at(3)?.rendition).toBe(1)
    expect(pieces.otherRenditionAfter(0.5, 0)).toBe(2)
    expect(pieces.otherRenditionAfter(2.5, 0)).toBe(undefined)
    pieces.keepBuffered([{ start: 2, end: 6 }])
    expect(pieces.loadedFrom(0).until).toBe(0)
    pieces.drop({ start: 4, end: Number.POSITIVE_INFINITY })
    expect(pieces.loadedFrom(2).until).toBe(4)
  })
})
