import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { failpoint } from '../platform/failpoints.ts'
import { receivedPiecesSchema, WORKER_CHUNK_BYTES } from '../video/worker/worker-protocol.ts'
import type { SiteConnection } from './site-connection.ts'

const BROKEN_PAUSE_MS = 500
/** Keeps the connection busy while the site writes. */
const SENT_AT_ONCE = 4

type Transfer = { folder: string; path: string; signal: AbortSignal }

export async function receiveInput(
  site: SiteConnection,
  { folder, path, signal, name, bytes }: Transfer & { name: string; bytes: number },
): Promise<void> {
  const file = await open(join(folder, name), 'a')
  try {
    for (let at = 0; at < bytes; ) {
      const headers = { range: `bytes=${at}-` }
      const asking = { method: 'GET' as const, headers, signal }
      const { body } = await site.ask(`${path}/inputs/${name}`, asking)
      await appendAll(file, body, bytes - at).catch((error: unknown) => {
        signal.throwIfAborted()
        const isOfLine = error instanceof TypeError || error instanceof DOMException
        return isOfLine ? pause(BROKEN_PAUSE_MS) : Promise.reject(error)
      })
      at = (await file.stat()).size
    }
  } finally {
    await file.close()
  }
}

async function appendAll(
  file: Awaited<ReturnType<typeof open>>,
  body: Response['body'],
  most: number,
): Promise<void> {
  let left = most
  for await (const piece of body ?? []) {
    if (piece.length > left) throw new Error('The site sent more than it said.')
    await file.appendFile(piece)
    left -= piece.length
  }
}

type Piece = { name: string; offset: number; length: number }

export async function sendOutputs(
  site: SiteConnection,
  { names, ...transfer }: Transfer & { names: string[] },
): Promise<void> {
  const pieces: Piece[] = []
  for (const name of names) pieces.push(...(await piecesOf(join(transfer.folder, name), name)))
  for (let left = pieces; left.length > 0; left = await listMissing(site, transfer, pieces)) {
    const waiting = left.values()
    const sendNext = async () => {
      const buffer = Buffer.allocUnsafeSlow(WORKER_CHUNK_BYTES)
      for (const piece of waiting) await sendPiece(site, { ...transfer, piece, buffer })
    }
    const count = Math.min(SENT_AT_ONCE, left.length)
    await Promise.all(Array.from({ length: count }, sendNext))
  }
}

async function piecesOf(path: string, name: string): Promise<Piece[]> {
  const { size } = await stat(path)
  return Array.from({ length: Math.ceil(size / WORKER_CHUNK_BYTES) }, (_, index) => {
    const offset = index * WORKER_CHUNK_BYTES
    return { name, offset, length: Math.min(WORKER_CHUNK_BYTES, size - offset) }
  })
}

async function sendPiece(
  site: SiteConnection,
  input: Transfer & { piece: Piece; buffer: Buffer<ArrayBuffer> },
): Promise<void> {
  const { folder, path, signal, buffer } = input
  const { name, offset, length } = input.piece
  const file = await open(join(folder, name), 'r')
  const { bytesRead } = await file.read(buffer, 0, length, offset).finally(() => file.close())
  const bytes = buffer.subarray(0, bytesRead)
  const digest = createHash('sha256').update(bytes).digest('base64')
  const headers = { 'content-digest': `sha-256=:${digest}:` }
  const address = `${path}/outputs/${name}?offset=${offset}`
  await (await site.ask(address, { bytes, headers, signal })).body?.cancel()
  failpoint('worker.sending')
}

/** Corrupted, or lost by a restarted site. */
async function listMissing(
  site: SiteConnection,
  { path, signal }: Transfer,
  pieces: Piece[],
): Promise<Piece[]> {
  const missing: Piece[] = []
  for (const [name, own] of Map.groupBy(pieces, ({ name }) => name)) {
    const answer = await site.ask(`${path}/outputs/${name}`, { method: 'GET', signal })
    const { offsets } = receivedPiecesSchema.parse(await answer.json())
    const received = new Set(offsets)
    missing.push(...own.filter(({ offset }) => !received.has(offset)))
  }
  return missing
}
