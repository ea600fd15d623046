import type { Making } from './from-schema.ts'
import { makeHostile } from './from-schema.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { HOSTILE_PATH_PARTS } from './hostile-values.ts'
import { toUrlText } from './value.ts'

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

/** What is no documented call: pages, media, feeds, what crawlers and other sites ask for. */
export function makePageRequest(making: Making): Omit<FuzzRequest, 'as'> {
  const { random } = making
  const [label, target] = random.chance(0.3)
    ? ['a media file', makeMedia(making)]
    : makePage(making)
  const headers: [string, string][] = []
  if (random.chance(0.4)) headers.push(['range', random.pick(RANGES)])
  for (const name of ['if-range', 'if-none-match', 'if-modified-since']) {
    if (random.chance(0.15)) headers.push([name, random.pick(DATES)])
  }
  return { label, method: random.chance(0.8) ? 'GET' : 'HEAD', target, headers }
}

function makeMedia({ random, known }: Making): string {
  const name = random.pick(['videoUrl', 'thumbnailUrl', 'hlsUrl', 'storyboardUrl', 'avatarUrl'])
  const address = String(known.pick(random, name) ?? `/media/${random.hex(16)}/video.mp4`)
  return random.pick([
    address,
    address,
    address,
    `${address}?x=1`,
    `${address}/`,
    address.replace(/[^/]+$/, random.pick(HOSTILE_PATH_PARTS)),
    address.replace(/[^/]+$/, 'source'),
    address.replace('/media/', '/media/..%2f'),
    `/media/${random.pick(HOSTILE_PATH_PARTS)}/${random.pick(HOSTILE_PATH_PARTS)}`,
  ])
}

function makePage(making: Making): [label: string, target: string] {
  const { random } = making
  const part = () =>
    random.chance(0.5) ? String(random.whole(1, 40)) : random.pick(HOSTILE_PATH_PARTS)
  const text = () => toUrlText(makeHostile(making)).slice(0, 4000)
  return random.pick<() => [string, string]>([
    () => ['/video/{id}', `/video/${part()}`],
    () => ['/video/{id}', `/video/${part()}?t=${text()}`],
    () => ['/embed/{id}', `/embed/${part()}`],
    () => ['/v/{id}', `/v/${part()}`],
    () => ['/profile/{id}', `/profile/${part()}`],
    () => ['/playlist/{id}', `/playlist/${part()}`],
    () => ['/category/{name}', `/category/${part()}`],
    () => [
      'a page',
      `/${random.pick(['', 'explore', 'search', 'studio', 'admin', 'auth'])}?q=${text()}`,
    ],
    () => ['a feed', `/feeds/${random.pick(['videos', 'channel/1', 'search'])}.xml?q=${text()}`],
    () => ['a feed', `/feeds/${random.pick(['channel', 'game'])}/${part()}.xml`],
    () => ['/oembed', `/oembed?url=${text()}&format=${random.pick(['json', 'xml', 'yaml', ''])}`],
    () => [
      '/oembed',
      `/oembed?url=${encodeURIComponent(`http://${making.random.pick(['127.0.0.1', 'evil.example', 'a:b@c'])}/video/`)}${part()}&maxwidth=${text()}`,
    ],
    () => ['a sitemap', `/sitemap-${part()}.xml`],
    () => ['a sitemap', '/sitemap.xml'],
    () => ['robots.txt', '/robots.txt'],
    () => ['an asset', `/assets/${part()}`],
    () => ['the docs', `/api/docs/${part()}`],
    () => ['a backup', `/api/backups/${part()}/download`],
    () => ['an unknown path', `/${part()}/${part()}`],
    () => ['an unknown call', `/api/${part()}/${part()}?${text()}`],
  ])()
}
