import fc, { type Arbitrary } from 'fast-check'
import type { Unsent } from './fuzz-request.ts'
import { sometimes } from './schema-arbitrary.ts'

const HOST = 'Host: site.example\r\n'
const END = 'Connection: close\r\n\r\n'
const JSON_HEAD = `POST /api/login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`

/** Bytes that are no request, or hardly one. Each asks the server to close, or makes it. */
const LINES: readonly string[] = [
  'NONSENSE\r\n\r\n',
  'GET\r\n\r\n',
  `GET  /api/health  HTTP/1.1\r\n${HOST}${END}`,
  `GET /api/health HTTP/9.9\r\n${HOST}${END}`,
  'GET /api/health HTTP/1.0\r\n\r\n',
  `GET /api/health\0 HTTP/1.1\r\n${HOST}${END}`,
  `GET /api/\u00e9\u00ff HTTP/1.1\r\n${HOST}${END}`,
  `GET /api/videos?q=a b HTTP/1.1\r\n${HOST}${END}`,
  `GET api/health HTTP/1.1\r\n${HOST}${END}`,
  `GET ?q HTTP/1.1\r\n${HOST}${END}`,
  `GET * HTTP/1.1\r\n${HOST}${END}`,
  `OPTIONS * HTTP/1.1\r\n${HOST}${END}`,
  `GET http:// HTTP/1.1\r\n${HOST}${END}`,
  `GET http://[/api/health HTTP/1.1\r\n${HOST}${END}`,
  `GET //evil.example/%2e%2e HTTP/1.1\r\n${HOST}${END}`,
  `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}${END}`,
  `CONNECT site.example:443 HTTP/1.1\r\n${HOST}\r\n`,
  'CONNECT : HTTP/1.1\r\n\r\n',
  `NONSENSE /api/health HTTP/1.1\r\n${HOST}${END}`,
  `GET /api/health HTTP/1.1\n${END}`,
  `GET /api/health HTTP/1.1\r\n${END}`,
  `GET /api/health HTTP/1.1\r\n${HOST}${HOST}${END}`,
  `GET /api/health HTTP/1.1\r\nHost:\r\n${END}`,
  `GET /api/health HTTP/1.1\r\nHost: a b\r\n${END}`,
  `GET /api/health HTTP/1.1\r\n${HOST}No-Colon\r\n${END}`,
  `GET /api/health HTTP/1.1\r\n${HOST}: empty\r\n${END}`,
  `GET /api/health HTTP/1.1\r\n${HOST}A: b\r\n folded\r\n${END}`,
  `GET /api/health HTTP/1.1\r\n${HOST}A: \0\r\n${END}`,
  `GET /api/health HTTP/1.1\r\n${HOST}A\u00e9: x\r\n${END}`,
  `GET /api/health HTTP/1.1\r\n${HOST}${'A: b\r\n'.repeat(1900)}${END}`,
  `GET /api/health HTTP/1.1\r\n${HOST}${'A: b\r\n'.repeat(20_000)}${END}`,
  `GET /api/health HTTP/1.1\r\n${HOST}A: ${'b'.repeat(100_000)}\r\n${END}`,
  `GET /api/health HTTP/1.1\r\n${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: close\r\n\r\n`,
  `GET /trpc/video.list HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n${END}`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
  `${JSON_HEAD}Content-Length: -1\r\n${END}{}`,
  `${JSON_HEAD}Content-Length: 1e3\r\n${END}{}`,
  `${JSON_HEAD}Content-Length: 2\r\nContent-Length: 3\r\n${END}{}`,
  `${JSON_HEAD}Content-Length: 99999999999999999999\r\n${END}{}`,
  `${JSON_HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n${END}0\r\n\r\n`,
  `${JSON_HEAD}Transfer-Encoding: gzip\r\n${END}{}`,
  `${JSON_HEAD}Transfer-Encoding: chunked, chunked\r\n${END}0\r\n\r\n`,
  `${JSON_HEAD}Transfer-Encoding: chunked\r\n${END}zz\r\n{}\r\n0\r\n\r\n`,
  `${JSON_HEAD}Transfer-Encoding: chunked\r\n${END}-1\r\n{}\r\n0\r\n\r\n`,
  `${JSON_HEAD}Transfer-Encoding: chunked\r\n${END}fffffffffffffffff\r\n{}\r\n0\r\n\r\n`,
  `${JSON_HEAD}Transfer-Encoding: chunked\r\n${END}2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  `${JSON_HEAD}Transfer-Encoding: chunked\r\n${END}2\r\n{}\r\n0\r\n${'A: b\r\n'.repeat(5000)}\r\n`,
  `${JSON_HEAD}Expect: 100-continue\r\nContent-Length: 2\r\n${END}{}`,
  `${JSON_HEAD}Expect: 200-ok\r\nContent-Length: 2\r\n${END}{}`,
  `${JSON_HEAD}Content-Length: 70000\r\n${END}${' '.repeat(70_000)}`,
  `${'GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(30)}GET /api/health HTTP/1.1\r\n${HOST}${END}`,
  `GET /api/health HTTP/1.1\r\n${HOST}\r\nNONSENSE\r\n\r\n`,
]

/** A client that is gone before all of its request was sent, or before the answer came. */
const BROKEN_OFF: readonly string[] = [
  '',
  'G',
  '\r\n\r\n\r\n',
  'GET /api/videos HTTP/1.1\r\n',
  `GET /api/videos HTTP/1.1\r\n${HOST}\r\n`,
  `${JSON_HEAD}Content-Length: 100\r\n\r\n{"username":`,
  `${JSON_HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{`,
  `POST /trpc/auth.login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
]

const bytesOf = (lines: readonly string[], hangsUp: boolean) =>
  fc.constantFrom(...lines).map((line) => ({
    label: `bytes ${JSON.stringify(line.replaceAll(/(.{1,8}?)\1{9,}/gs, '$1…').slice(0, 200))}`,
    method: 'GET',
    target: '/',
    headers: [],
    bytes: Buffer.from(line, 'latin1'),
    hangsUp,
  }))

/** Bytes on a connection of their own. */
export const rawRequest: Arbitrary<Unsent> = sometimes(
  0.15,
  bytesOf(BROKEN_OFF, true),
  bytesOf(LINES, false),
)
