import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { failpoint } from '../platform/failpoints.ts'
import { receivedSchema, WORKER_CHUNK_BYTES } from '../video/worker/worker-protocol.ts'
import type { SiteConnection } from './site-connection.ts'

const BROKEN_PAUSE_MS = 500

type Place = { folder: string; path: string; signal: AbortSignal }

/** Fetches one of a job's inputs into `folder`, and goes on where a broken line left it. */
export async function receiveInput(
  site: SiteConnection,
  { folder, path, signal, name, bytes }: Place & { name: string; bytes: number },
): Promise<void> {
  const file = await open(join(folder, name), 'a')
  try {
    for (let at = 0; at < bytes; ) {
      const headers = { range: `bytes=${at}-` }
      const asking = { method: 'GET' as const, headers, signal }
      const { body } = await site.ask(`${path}/inputs/${name}`, asking)
      await appendAll(file, body, bytes - at).catch((error: unknown) => {
        signal.throwIfAborted()
        // What arrived before the line broke is kept.
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

/** Sends one of a job's outputs in pieces, from where the site has it already. */
export async function sendOutput(
  site: SiteConnection,
  { folder, path, signal, name }: Place & { name: string },
): Promise<void> {
  const { size } = await stat(join(folder, name))
  const address = `${path}/outputs/${name}`
  const file = await open(join(folder, name), 'r')
  const buffer = Buffer.allocUnsafeSlow(WORKER_CHUNK_BYTES)
  try {
    let at = await readReceived(await site.ask(address, { method: 'GET', signal }))
    while (at < size) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
      const bytes = buffer.subarray(0, bytesRead)
      const digest = createHash('sha256').update(bytes).digest('base64')
      const headers = { 'content-digest': `sha-256=:${digest}:` }
      at = await readReceived(await site.ask(`${address}?offset=${at}`, { bytes, headers, signal }))
      failpoint('worker.sending')
    }
  } finally {
    await file.close()
  }
}

async function readReceived(response: Response): Promise<number> {
  return receivedSchema.parse(await response.json()).bytes
}
