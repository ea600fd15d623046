import { METHODS } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Making } from './from-schema.ts'
import type { FuzzRequest } from './fuzz-request.ts'
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

/** Breaks something of a request that its schema says nothing of. */
export function distortRequest(
  request: Omit<FuzzRequest, 'as'>,
  making: Making,
): Omit<FuzzRequest, 'as'> {
  const { random } = making
  const changed = { ...request, headers: [...request.headers] }
  const change = random.pick([
    distortBody,
    distortType,
    distortPath,
    distortMethod,
    addHeader,
    addHeader,
  ])
  change(changed, making)
  return changed
}

type Change = (request: Omit<FuzzRequest, 'as'>, making: Making) => void

const distortBody: Change = (request, { random }) => {
  const body = request.body ?? Buffer.from('{"id":1}')
  request.body = random.pick([
    body.subarray(0, random.whole(0, body.length)),
    Buffer.concat([body, body]),
    Buffer.concat([Buffer.from('\ufeff'), body]),
    Buffer.concat([body, Buffer.from([0xff, 0xfe, 0x80])]),
    Buffer.from(body.toString(), 'utf16le'),
    gzipSync(body),
    Buffer.alloc(random.pick([65_535, 65_536, 65_537, 200_000]), ' '),
    Buffer.from(`[${body}]`),
    Buffer.from('null'),
    Buffer.from('"text"'),
    Buffer.from('1'),
    Buffer.alloc(0),
  ])
}

const distortType: Change = (request, { random }) => {
  request.headers = request.headers.filter(([name]) => name !== 'content-type')
  const type = random.pick(TYPES)
  if (type) request.headers.push(['content-type', type])
}

const distortPath: Change = (request, { random }) => {
  const [path = '', query] = request.target.split('?', 2)
  const parts = path.split('/')
  const at = random.whole(1, parts.length - 1)
  const mended = random.pick<() => string>([
    () => parts.toSpliced(at, 1, random.pick(HOSTILE_PATH_PARTS)).join('/'),
    () => parts.toSpliced(at, 0, random.pick(HOSTILE_PATH_PARTS)).join('/'),
    () => `${path}/`,
    () => `/${path}`,
    () => path.toUpperCase(),
    () => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    () => path.replaceAll('/', '%2f').replace('%2f', '/'),
    () => `http://evil.example${path}`,
  ])()
  const more = random.pick([
    '',
    '',
    '&',
    '&&=&',
    '&%=%',
    '&a[]=1&a[]=2',
    `&${'a=1&'.repeat(500)}`,
    '#x',
  ])
  request.target = query === undefined ? mended : `${mended}?${query}${more}`
}

const distortMethod: Change = (request, { random }) => {
  request.method = random.pick([...METHODS_SENT, 'NONSENSE', 'get'])
}

const addHeader: Change = (request, { random }) => {
  for (let count = random.whole(1, 3); count > 0; count--)
    request.headers.push(random.pick(HEADERS))
}
