import fc, { type Arbitrary } from 'fast-check'
import type { Unsent } from './fuzz-request.ts'
import { HOSTILE_PATH_PARTS } from './hostile-values.ts'
import { hostileText, type Making, sometimes } from './schema-arbitrary.ts'
import { toUrlText } from './value-text.ts'

const RANGES: readonly string[] = [
  'bytes=0-',
  'bytes=0-0',
  'bytes=-1',
  'bytes=-99999999999999999999',
  'bytes=5-2',
  'bytes=99999999999-',
  'bytes=0-1,2-3',
  `bytes=${Array.from({ length: 400 }, (_, at) => `${at}-${at}`).join(',')}`,
  'bytes=a-b',
  'bytes=',
  'lines=1-2',
  'bytes = 0 - 5',
  `bytes=0-${'9'.repeat(200)}`,
]

const DATES: readonly string[] = [
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'Fri, 31 Dec 9999 23:59:59 GMT',
  'yesterday',
  '-1',
  '"etag"',
  '*',
  'W/"a", "b", *',
  ','.repeat(2000),
]

const ADDRESSES = ['videoUrl', 'thumbnailUrl', 'hlsUrl', 'storyboardUrl', 'avatarUrl']
const hostilePart = fc.constantFrom(...HOSTILE_PATH_PARTS)
const part = fc.oneof(fc.integer({ min: 1, max: 40 }).map(String), hostilePart)
const site = fc
  .constantFrom('127.0.0.1', 'evil.example', 'a:b@c')
  .map((host) => encodeURIComponent(`http://${host}/video/`))
const text = hostileText.map((one) => toUrlText(one).slice(0, 4000))

/** What is no documented call: pages, media, feeds, what crawlers and other sites ask for. */
export function pageRequest(making: Making): Arbitrary<Unsent> {
  const media = mediaTarget(making).map((target) => ['a media file', target] as const)
  const header = (name: string, likely: number, values: readonly string[]) => {
    const one = fc.constantFrom(...values).map((value): [string, string][] => [[name, value]])
    return sometimes(likely, one, fc.constant([]))
  }
  const headers = fc.tuple(
    header('range', 0.4, RANGES),
    ...['if-range', 'if-none-match', 'if-modified-since'].map((name) => header(name, 0.15, DATES)),
  )
  return fc
    .tuple(
      sometimes(0.3, media, page),
      headers,
      sometimes(0.2, fc.constant('HEAD'), fc.constant('GET')),
    )
    .map(([[label, target], some, method]) => ({ label, target, method, headers: some.flat() }))
}

function mediaTarget({ known }: Making): Arbitrary<string> {
  const address = fc
    .tuple(fc.constantFrom(...ADDRESSES), fc.nat(), fc.stringMatching(/^[0-9a-f]{32}$/))
    .map(([name, at, key]) => String(known.at(name, at) ?? `/media/${key}/video.mp4`))
  return fc.oneof(
    { arbitrary: address, weight: 3 },
    address.map((one) => `${one}?x=1`),
    address.map((one) => `${one}/`),
    address.map((one) => one.replace(/[^/]+$/, 'source')),
    address.map((one) => one.replace('/media/', '/media/..%2f')),
    fc.tuple(address, hostilePart).map(([one, last]) => one.replace(/[^/]+$/, () => last)),
    fc.tuple(hostilePart, hostilePart).map(([key, name]) => `/media/${key}/${name}`),
  )
}

const page = fc.oneof(
  ...[
    address`/video/${part}`,
    address`/video/${part}?t=${text}`,
    address`/embed/${part}`,
    address`/v/${part}`,
    address`/profile/${part}`,
    address`/playlist/${part}`,
    address`/category/${part}`,
    address`/${fc.constantFrom('', 'explore', 'search', 'studio', 'admin', 'auth')}?q=${text}`,
    address`/feeds/${fc.constantFrom('videos', 'channel/1', 'search')}.xml?q=${text}`,
    address`/feeds/${fc.constantFrom('channel', 'game')}/${part}.xml`,
    address`/oembed?url=${text}&format=${fc.constantFrom('json', 'xml', 'yaml', '')}`,
    address`/oembed?url=${site}${part}&maxwidth=${text}`,
    address`/sitemap-${part}.xml`,
    address`/sitemap.xml`,
    address`/robots.txt`,
    address`/assets/${part}`,
    address`/api/docs/${part}`,
    address`/api/backups/${part}/download`,
    address`/${part}/${part}`,
    address`/api/${part}/${part}?${text}`,
  ],
)

/** An address with its parts filled in, and how the report calls it. */
function address(fixed: TemplateStringsArray, ...parts: Arbitrary<string>[]) {
  const label = fixed.join('…').replace(/\?.*/, '')
  return fc.tuple(...parts).map((filled) => [label, String.raw({ raw: fixed }, ...filled)] as const)
}
