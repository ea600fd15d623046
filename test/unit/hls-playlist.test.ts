import { expect, test } from 'vitest'
import {
  type MasterPlaylist,
  type MediaPlaylist,
  writeMasterPlaylist,
  writeMediaPlaylist,
} from '#server/video/processing/package/hls-playlist.ts'
import {
  parseMasterPlaylist,
  parseMediaPlaylist,
} from '#server/video/processing/package/parse-playlist.ts'
import {
  parseStoryboardCues,
  writeStoryboardCues,
} from '#server/video/processing/picture/storyboard-cues.ts'

const media: MediaPlaylist = {
  file: '180p.mp4',
  headBytes: 800,
  segments: [
    { start: 800, bytes: 5000, seconds: 4.004 },
    { start: 5800, bytes: 300, seconds: 0.123457 },
  ],
}
const rendition = {
  ...{ width: 320, height: 180, bandwidth: 400_000, averageBandwidth: 300_000 },
  ...{ codecs: 'avc1.64001f,mp4a.40.2', frameRate: 29.97, playlist: '180p.m3u8' },
}
const sounds = [
  { name: 'Mic  / Aux', language: null, channels: 2, playlist: 'sound-1.m3u8' },
  { name: 'Norwegian Bokmål', language: 'nb', channels: 6, playlist: 'sound-2.m3u8' },
]
const master: MasterPlaylist = { renditions: [rendition, rendition], sounds }
const cues = [0, 3600.5].map((seconds) => ({
  ...{ fromSeconds: seconds, untilSeconds: seconds + 0.25, sheet: 'storyboard-1.jpg' },
  ...{ x: 256, y: 144, width: 256, height: 144 },
}))

test('a playlist and a storyboard are read as they are written', () => {
  expect(parseMediaPlaylist(writeMediaPlaylist(media))).toEqual(media)
  expect(parseMasterPlaylist(writeMasterPlaylist(master))).toEqual(master)
  const alone = { renditions: [rendition], sounds: [] }
  expect(parseMasterPlaylist(writeMasterPlaylist(alone))).toEqual(alone)
  expect(parseStoryboardCues(writeStoryboardCues(cues))).toEqual(cues)
})

const ELSEWHERE = 'https://x.example/'
const BREAKS = ['\r', '\n', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f', '\0']

test.each([
  ['media', writeMediaPlaylist(media), parseMediaPlaylist],
  ['master', writeMasterPlaylist(master), parseMasterPlaylist],
  ['storyboard', writeStoryboardCues(cues), parseStoryboardCues],
] as const)('a %s text with anything else in it is not read', (_, text, parse) => {
  const lines = text.split('\n')
  const tampered = lines.flatMap((line, index) => {
    const put = (...now: string[]) => lines.with(index, now.join('\n')).join('\n')
    return [
      put(`#EXT-X-KEY:METHOD=AES-128,URI="${ELSEWHERE}"`, line),
      put('#EXT-X-SKIP:SKIPPED-SEGMENTS=1', line),
      put(`NOTE ${ELSEWHERE}`, line),
      put(`${line},URI=${ELSEWHERE}`),
      put(`${line} `),
      ...BREAKS.map((mark) => put(`${line}${mark}${ELSEWHERE}`)),
      // Within the line, where values stand.
      ...BREAKS.map((mark) => put(line.replace(/(?<=[\w"])/, `${mark}${ELSEWHERE}`))),
    ]
  })
  const changed = tampered.filter((one) => one !== text)
  expect(changed.length).toBeGreaterThan(50)
  expect(changed.filter((one) => parse(one) !== undefined)).toEqual([])
  expect(parse(`\ufeff${text}`)).toBe(undefined)
  expect(parse(text.replaceAll('"', ''))).toEqual(text.includes('"') ? undefined : parse(text))
  expect(parse(text.slice(0, -2))).toBe(undefined)
})

test.each([
  ['another file for a part', (text: string) => text.replace(/180p\.mp4(?=\n#EXTINF)/, ELSEWHERE)],
  ['a title of a part', (text: string) => text.replace(/,(?=\n)/, `,${ELSEWHERE}`)],
  ['a length without end', (text: string) => text.replace('4.004000', '1e999')],
])('a media playlist with %s is not read', (_, tamper) => {
  const text = tamper(writeMediaPlaylist(media))
  expect(text).not.toBe(writeMediaPlaylist(media))
  expect(parseMediaPlaylist(text)).toBe(undefined)
})
