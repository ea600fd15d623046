import { createServer } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { Address } from './updating-answer.ts'

const TEXT = 'The site is being updated. Please try again in a moment.'
const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'content-length': Buffer.byteLength(TEXT),
  'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'retry-after': '5',
  connection: 'close',
}

const { port, host } = workerData as Address
createServer((_, response) => response.writeHead(503, HEADERS).end(TEXT))
  .on('error', () => process.exit())
  .listen({ port, host }, () => parentPort?.postMessage('listening'))
