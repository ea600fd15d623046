import { METHODS } from 'node:http'
import { gzipSync } from 'node:zlib'
import fc, { type Arbitrary } from 'fast-check'
import { cutOff, type Unsent } from './fuzz-request.ts'
import { HOSTILE_PATH_PARTS } from './hostile-values.ts'

/** CONNECT is sent as bytes: what answers it is no response to a request. */
const METHODS_SENT = METHODS.filter((method) => method !== 'CONNECT')

const HEADERS: readonly [string, string][] = [
  ['origin', 'https://evil.example'],
  ['origin', 'null'],
  ['origin', 'nonsense'],
  ['sec-fetch-site', 'cross-site'],
  ['x-forwarded-for', '198.51.100.1, junk, ::1'],
  ['x-forwarded-host', 'evil.example'],
  ['forwarded', 'for="[::1]";proto=https'],
  ['accept', 'text/event-stream'],
  ['accept', '*/*;q=x'],
  ['accept-encoding', 'gzip, br;q=0, *;q=1000000000000'],
  ['trpc-accept', 'application/jsonl'],
  ['trpc-accept', 'nonsense'],
  ['x-trpc-source', '\u00ff'.repeat(100)],
  ['content-encoding', 'gzip'],
  ['content-language', '-'],
  ['if-none-match', '*'],
  ['if-match', '"x"'],
  ['range', 'bytes=0-0'],
  ['last-event-id', '1'],
  ['upgrade-insecure-requests', '1'],
  ['cookie', 'clutch; clutch=; =x; clutch=%E0%A4%A; __Host-clutch=x'],
  ['cookie', `clutch=${'x'.repeat(4000)}`],
  ['authorization', 'Bearer'],
  ['authorization', `Bearer ${'x'.repeat(3000)}`],
  ['authorization', 'Basic YTpi'],
  ['user-agent', ''],
  ['user-agent', '\u00e9\u00ff'.repeat(400)],
  ['host', 'evil.example:99999'],
  ['host', '[::1'],
  ['host', ''],
  ['x-http-method-override', 'DELETE'],
  ['te', 'trailers'],
  ['prefer', 'return=minimal'],
]

const TYPES: readonly string[] = [
  '',
  'application/json; charset=utf-16',
  'application/JSON',
  'application/json, text/plain',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'text/plain;',
  'application/octet-stream',
  'nonsense',
  '/',
]

type Change = (request: Unsent) => Unsent

/** Breaks something of a request that its schema says nothing of. */
export function distorted(request: Arbitrary<Unsent>): Arbitrary<Unsent> {
  return fc.tuple(request, change).map(([whole, distort]) => distort(whole))
}

const changedBody = fc
  .oneof(
    fc.nat().map((at) => (body: Buffer) => cutOff(body, at)),
    fc.constantFrom<((body: Buffer) => Buffer)[]>(
      (body) => Buffer.concat([body, body]),
      (body) => Buffer.concat([Buffer.from('\ufeff'), body]),
      (body) => Buffer.concat([body, Buffer.from([0xff, 0xfe, 0x80])]),
      (body) => Buffer.from(body.toString(), 'utf16le'),
      (body) => gzipSync(body),
      (body) => Buffer.from(`[${body}]`),
    ),
    fc
      .constantFrom(65_535, 65_536, 65_537, 200_000)
      .map((length) => () => Buffer.alloc(length, ' ')),
    fc.constantFrom('null', '"text"', '1', '').map((body) => () => Buffer.from(body)),
  )
  .map(
    (distort): Change =>
      (request) => {
        return { ...request, body: distort(request.body ?? Buffer.from('{"id":1}')) }
      },
  )

const changedType = fc.constantFrom(...TYPES).map(
  (type): Change =>
    (request) => {
      const others = request.headers.filter(([name]) => name !== 'content-type')
      return { ...request, headers: type ? [...others, ['content-type', type]] : others }
    },
)

const hostilePart = fc.constantFrom(...HOSTILE_PATH_PARTS)
const changedPath = fc
  .tuple(
    fc.oneof(
      fc
        .tuple(fc.nat(), fc.nat({ max: 1 }), hostilePart)
        .map(([at, removed, part]) => (path: string) => {
          const parts = path.split('/')
          return parts.toSpliced(1 + (at % (parts.length - 1)), removed, part).join('/')
        }),
      fc.constantFrom<((path: string) => string)[]>(
        (path) => `${path}/`,
        (path) => `/${path}`,
        (path) => path.toUpperCase(),
        (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
        (path) => path.replaceAll('/', '%2f').replace('%2f', '/'),
        (path) => `http://evil.example${path}`,
      ),
    ),
    fc.constantFrom('', '&', '&&=&', '&%=%', '&a[]=1&a[]=2', `&${'a=1&'.repeat(500)}`, '#x'),
  )
  .map(
    ([distort, more]): Change =>
      (request) => {
        const [path = '', query] = request.target.split('?', 2)
        const target = query === undefined ? distort(path) : `${distort(path)}?${query}${more}`
        return { ...request, target }
      },
  )

const changedMethod = fc.constantFrom(...METHODS_SENT, 'NONSENSE', 'get').map(
  (method): Change =>
    (request) => ({ ...request, method }),
)

const moreHeaders = fc.array(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 3 }).map(
  (more): Change =>
    (request) => ({ ...request, headers: [...request.headers, ...more] }),
)

const change = fc.oneof(
  { arbitrary: moreHeaders, weight: 2 },
  changedBody,
  changedType,
  changedPath,
  changedMethod,
)
