import { describe, expect, test } from 'vitest'
import { bandwidthOf } from '#client/platform/bandwidth.ts'
import { parseStoryboard, tileAt } from '#client/platform/video/storyboard.ts'
import { findCommentMarks, markAt } from '#client/watch/player/core/comment-marks.ts'
import {
  createTapReader,
  isDismissed,
  swipeMeaning,
  swipeSeconds,
} from '#client/watch/player/core/gestures.ts'
import { readMemory } from '#client/watch/player/core/player-memory.ts'
import { levellingFactor } from '#client/watch/player/core/sound-commands.ts'
import { likelyCaption } from '#client/watch/player/core/source-commands.ts'
import {
  addressAt,
  parseTimeParameter,
  startSecondsOf,
} from '#client/watch/player/core/time-address.ts'
import { chooseSource } from '#client/watch/player/source/choose-source.ts'
import { parseMasterPlaylist } from '#client/watch/player/source/master-playlist.ts'
import { listSoundTracks } from '#client/watch/player/source/sound-tracks.ts'
import { qualityName, renditionOf } from '#client/watch/player/source/source.ts'
import { chapterAt, parseChapters } from '#shared/chapters.ts'
import { recorderSoundName } from '#shared/sound-tracks.ts'

test.each([
  ['83', 83],
  ['83s', 83],
  ['1m23s', 83],
  ['2m', 120],
  ['1h2m3s', 3723],
  ['1:23', 83],
  ['1:02:03', 3723],
  ['0', 0],
])('?t=%s means %d seconds', (text, seconds) => {
  expect(parseTimeParameter(text)).toBe(seconds)
})

test.each(['', 'abc', '-5', '1.5', '5x', '1e3', null])('?t=%s means nothing', (text) => {
  expect(parseTimeParameter(text)).toBeUndefined()
})

test('an address names a time inside the video only', () => {
  expect(addressAt('/video/7', 83.9)).toBe('/video/7?t=83')
  expect(addressAt('/video/7', 0.4)).toBe('/video/7')
  expect(startSecondsOf('?t=90', 100)).toBe(90)
  expect(startSecondsOf('?t=100', 100)).toBeUndefined()
})

describe('chapters', () => {
  test('are read from a list in the description, with the words before or behind', () => {
    const description =
      'My match\n\n0:00 Intro\n(1:05) - The rush\nClutch – 2:10\n\nThanks, 5 of us'
    expect(parseChapters(description, 200)).toEqual([
      { title: 'Intro', start: 0, end: 65 },
      { title: 'The rush', start: 65, end: 130 },
      { title: 'Clutch', start: 130, end: 200 },
    ])
  })

  test.each([
    ['they do not begin at 0:00', '0:10 A\n0:20 B'],
    ['there is only one', '0:00 A'],
    ['all but one lie after the end', '0:00 A\n9:00 B'],
  ])('are none when %s', (_, description) => {
    expect(parseChapters(description, 120)).toEqual([])
  })

  test.each([
    '0:00 A\n1:00 B\n0:30 best moment\n1:30 C',
    '1:10 was the clutch\n0:00 A\n1:00 B\n1:30 C',
    '0:00 A\n1:00 B\n1:00 again\n1:30 C',
    '0:00 A\n1:00 B\nwe won at 1:20\n1:30 C',
    'A - 0:00\nB - 1:00\nRecorded at 0:45\nC - 1:30',
  ])('lines that are no part of a list are left out of %j', (description) => {
    const chapters = parseChapters(description, 120)
    expect(chapters.map(({ title, start }) => [title, start])).toEqual([
      ['A', 0],
      ['B', 60],
      ['C', 90],
    ])
  })

  test('a line that ends with a time by chance is no part of the list', () => {
    const chapters = parseChapters('0:00 A\n1:00 B\n1:30 C', 120)
    for (const stray of ['Recorded at 21:30', 'Best shot: 0:45', 'We started at 0:10']) {
      expect(parseChapters(`${stray}\n0:00 A\n1:00 B\n1:30 C`, 120)).toEqual(chapters)
      expect(parseChapters(`0:00 A\n1:00 B\n1:30 C\n${stray}`, 120)).toEqual(chapters)
    }
    expect(parseChapters('A - 0:00\nB - 1:00\n0:30 is where it begins', 120)).toHaveLength(2)
  })

  test('are found by a time', () => {
    const chapters = parseChapters('0:00 A\n0:30 B', 60)
    expect(chapterAt(chapters, 29.9)?.title).toBe('A')
    expect(chapterAt(chapters, 30)?.title).toBe('B')
    expect(chapterAt([], 30)).toBeUndefined()
  })
})

test('a storyboard gives the picture of each time', () => {
  const text =
    'WEBVTT\r\n\r\n00:00.000 --> 00:02.000\r\nsheet.jpg#xywh=0,0,160,90\r\n\r\n1\n00:00:02.000 --> 00:00:04.500\nsheet.jpg#xywh=160,0,160,90\n\nnonsense\n00:05.000 --> 00:06.000\nno rectangle\n'
  const tiles = parseStoryboard(text, 'https://clutch.example/media/a/storyboard.vtt')
  expect(tiles).toHaveLength(2)
  expect(tileAt(tiles, 3)).toEqual({
    start: 2,
    end: 4.5,
    url: 'https://clutch.example/media/a/sheet.jpg',
    x: 160,
    y: 0,
    width: 160,
    height: 90,
  })
  expect(tileAt(tiles, 99)?.x).toBe(160)
  expect(tileAt([], 1)).toBeUndefined()
})

test('times in comments and replies become marks; those close together are one', () => {
  const ann = { displayName: 'Ann' }
  const comments = [
    { content: 'wow 1:00', user: ann, replies: [{ content: 'and 0:10', user: null }] },
    { content: 'again 1:00 and 9:59', user: ann },
  ]
  const marks = findCommentMarks(comments, 100)
  expect(marks).toEqual([
    { seconds: 10, name: 'Deleted user', text: 'and 0:10', count: 1 },
    { seconds: 60, name: 'Ann', text: 'wow 1:00', count: 2 },
  ])
  expect(markAt(marks, 59, 2)?.name).toBe('Ann')
  expect(markAt(marks, 30, 2)).toBeUndefined()
})

test('loud videos are turned down, quiet ones are left alone', () => {
  expect(levellingFactor(-8)).toBeCloseTo(0.501, 3)
  expect(levellingFactor(-14)).toBe(1)
  expect(levellingFactor(-30)).toBe(1)
  expect(levellingFactor(null)).toBe(1)
})

test('a damaged memory counts as none', () => {
  expect(readMemory('{"volume":0.4,"isTheatre":true,"quality":480}')).toMatchObject({
    volume: 0.4,
    isTheatre: true,
    quality: 480,
  })
  for (const text of [null, '', 'null', '[]', '{"volume":7,"quality":"x","isMuted":3}']) {
    expect(readMemory(text)).toMatchObject({ volume: 1, quality: 'auto', isMuted: false })
  }
})

test('a master playlist names its renditions, the largest first', () => {
  const text = [
    '#EXTM3U',
    '#EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=30.000',
    '360.m3u8',
    '#EXT-X-STREAM-INF:BANDWIDTH=5000000,RESOLUTION=1080x1920,FRAME-RATE=59.940',
    '1080.m3u8',
  ].join('\n')
  const variants = parseMasterPlaylist(text, 'https://clutch.example/m/hls.m3u8')
  expect(variants.map(qualityName)).toEqual(['1080p60', '360p'])
  expect(variants[1]).toMatchObject({ url: 'https://clutch.example/m/360.m3u8', bitRate: 800_000 })
})

test('a height is played by its rendition, the one below it, or the smallest', () => {
  const renditions = [360, 720, 1080].map((lines) => ({ lines, frameRate: 30, bitRate: null }))
  const played = [720, 1000, 100, 4320].map((lines) => renditionOf(renditions, lines))
  expect(played).toEqual([1, 1, 0, 2])
  expect(renditionOf(renditions.toReversed(), 1000)).toBe(1)
})

test('sound tracks are named by language, and by number where that is not enough', () => {
  const track = (number: number, language: string | null) => ({ number, language })
  const names = (own: string | null, ...tracks: ReturnType<typeof track>[]) =>
    listSoundTracks(own, tracks).map(({ label }) => label)
  expect(names('eng')).toEqual([])
  expect(names('eng', track(2, 'deu'), track(3, null))).toEqual(['English', 'German', 'Track 3'])
  expect(names(null, track(2, 'de'), track(3, 'de'))).toEqual([
    'Default',
    'German (track 2)',
    'German (track 3)',
  ])
  expect(names('de', track(2, 'ger'))).toEqual(['German (track 1)', 'German (track 2)'])
})

test('a sound track is named by what its owner says it is, else as its recorder called it', () => {
  const others = [
    { number: 2, language: null },
    { number: 3, language: 'deu' },
  ]
  const names = [
    { number: 1, name: 'Game', kind: null },
    { number: 2, name: 'Mic/Aux', kind: 'voice' as const },
  ]
  const labels = listSoundTracks('eng', others, names).map(({ label }) => label)
  expect(labels).toEqual(['Game', 'Voice', 'German'])
})

test('a name of a sound track that may be of a person is left out', () => {
  const recorders = ['Game', 'Microphone', 'Mic/Aux', 'Discord voice chat', 'Desktop Audio 2']
  for (const name of [...recorders, 'A', 'B1', 'Track C']) {
    expect(recorderSoundName(name)).toBe(name)
  }
  const people = ['Anna', "Anna's microphone", 'Microphone (Max)', 'Anna B', 'J P']
  const others = [...people, 'SoundHandler', 'Track 1', '']
  for (const name of [...others, 'Game '.repeat(20)]) expect(recorderSoundName(name)).toBeNull()
})

test('captions that are wanted again are those of before, or in a language of the reader', () => {
  const captions = [{ language: 'de' }, { language: 'en-GB' }, { language: 'fr' }]
  expect(likelyCaption(captions, ['fr', 'en-US'])).toBe(2)
  expect(likelyCaption(captions, [null, 'en-US', 'de'])).toBe(1)
  expect(likelyCaption(captions, ['pl'])).toBe(0)
})

describe('the first source', () => {
  const near = {
    hasHls: true,
    hls: 'stream',
    quality: 'auto',
    bandwidth: null,
    pageBandwidth: null,
    answerMs: 3,
    fileLines: 1080,
    playerLines: 720,
    fileBitRate: null,
  } as const
  const far = { ...near, answerMs: 60, pageBandwidth: 12e6 } as const

  test.each([
    ['the file on the same network', near, 'progressive'],
    ['the renditions over a distance', { ...near, answerMs: 60 }, 'hls'],
    ['unknown over a distance before the bit rate is known', far, 'unknown'],
    [
      'the file over a distance if the page came faster',
      { ...far, fileBitRate: 10e6 },
      'progressive',
    ],
    ['the renditions if the page came slower', { ...far, fileBitRate: 14e6 }, 'hls'],
    [
      'the file again after a fast stream',
      { ...far, bandwidth: 30e6, fileBitRate: 10e6 },
      'progressive',
    ],
    ['the renditions on a slow line', { ...far, pageBandwidth: 2e6 }, 'hls'],
    ['the renditions after a slower stream', { ...far, bandwidth: 8e6, fileBitRate: 10e6 }, 'hls'],
    ['the renditions after a stall', { ...near, bandwidth: 4e6 }, 'hls'],
    ['the renditions for a small player', { ...near, playerLines: 220 }, 'hls'],
    ['the renditions when one is chosen', { ...near, quality: 480 }, 'hls'],
    ['the file without renditions', { ...near, hasHls: false, answerMs: 60 }, 'progressive'],
    ["the browser's own HLS where it is better", { ...near, hls: 'native' }, 'native-hls'],
    ['the file where nothing plays HLS', { ...near, hls: 'none' }, 'progressive'],
  ] as const)('is %s', (_, situation, kind) => {
    expect(chooseSource(situation)).toBe(kind)
  })
})

test('bandwidth counts the time in which anything arrived', () => {
  const entry = (responseStart: number, responseEnd: number, transferSize: number) => ({
    ...{ responseStart, responseEnd, transferSize },
  })
  expect(bandwidthOf([])).toBeNull()
  // A single burst from a buffer says nothing about the bandwidth.
  expect(bandwidthOf([entry(100, 101, 30_000)])).toBeNull()
  expect(bandwidthOf([entry(100, 200, 250_000)])).toBe(20e6)
  const together = [entry(150, 250, 125_000), entry(100, 200, 125_000), entry(300, 350, 125_000)]
  expect(bandwidthOf(together)).toBe(15e6)
})

describe('fingers', () => {
  const width = 400

  test('two taps on a side skip, more of them add up, others are single', () => {
    const read = createTapReader()
    expect(read({ timeMs: 0, x: 380, width })).toEqual({ kind: 'single', isOnSide: true })
    expect(read({ timeMs: 200, x: 370, width })).toEqual({ kind: 'skip', step: 10, seconds: 10 })
    expect(read({ timeMs: 400, x: 370, width })).toEqual({ kind: 'skip', step: 10, seconds: 20 })
    expect(read({ timeMs: 500, x: 20, width })).toEqual({ kind: 'single', isOnSide: true })
    expect(read({ timeMs: 700, x: 20, width })).toEqual({ kind: 'skip', step: -10, seconds: -10 })
    expect(read({ timeMs: 2000, x: 20, width })).toEqual({ kind: 'single', isOnSide: true })
    expect(read({ timeMs: 3000, x: 200, width })).toEqual({ kind: 'single', isOnSide: false })
    expect(read({ timeMs: 3200, x: 200, width })).toEqual({ kind: 'single', isOnSide: false })
  })

  test('swipes seek, turn down and leave; the page keeps its own', () => {
    const swipe = { fromX: 100, dx: 0, dy: 0, width, isFullScreen: false }
    expect(swipeMeaning({ ...swipe, dx: 5 })).toBeUndefined()
    expect(swipeMeaning({ ...swipe, dx: -40, dy: 10 })).toBe('seek')
    expect(swipeMeaning({ ...swipe, dy: 40 })).toBe('nothing')
    expect(swipeMeaning({ ...swipe, dy: 40, isFullScreen: true })).toBe('dismiss')
    expect(swipeMeaning({ ...swipe, dy: -40, fromX: 390, isFullScreen: true })).toBe('volume')
    expect(swipeSeconds(200, width, 600)).toBe(45)
    expect(swipeSeconds(-200, width, 20)).toBe(-10)
    expect(isDismissed(100, 300)).toBe(true)
    expect(isDismissed(20, 300)).toBe(false)
  })
})
