import { readFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { createUploadEngine } from '#client/create/upload/transfer/upload-engine.ts'
import { createUploadMemory } from '#client/create/upload/transfer/upload-memory.ts'
import type { EngineTransport } from '#client/create/upload/transfer/upload-transport.ts'
import { startFloor } from './server-child.ts'
import { initialize, sendChunk } from './upload.ts'

/** 1 Gb/s, and as far away as the next large town. */
const LINE = { bytesPerSecond: 125_000_000, roundTripMs: 20 }

/**
 * Sends a file through the line with the engine of the upload list, without completing it.
 * @param input.cookie undefined for a server that takes anything
 * @returns bytes a second
 */
export async function sendThroughLine(input: {
  port: number
  cookie: string | undefined
  path: string
  chunksAtOnce: number
}): Promise<number> {
  const line = await startFloor('line', ...[input.port, LINE.bytesPerSecond, LINE.roundTripMs].map(String))
  const agent = new Agent({ keepAlive: true })
  const target = { origin: line.origin, cookie: input.cookie ?? '', agent }
  const file = new File([await readFile(input.path)], 'clip.mp4')
  let [begun, ended] = [0, 0]
  const transport: EngineTransport = {
    async initialize({ fileSize }) {
      const isSite = input.cookie !== undefined
      const uploadId = isSite ? await initialize(target, fileSize) : 'none'
      begun = performance.now()
      return { uploadId, chunkSize: 0, received: [], resumed: false }
    },
    async sendChunk({ chunk, ...fields }) {
      const bytes = Buffer.from(await chunk.arrayBuffer())
      await sendChunk(target, { fields, bytes })
      bytes.buffer.transfer(0)
    },
    async complete() {
      ended = performance.now()
      return { videoId: 0 }
    },
    async cancel() {},
  }
  const engine = createUploadEngine({
    ...{ transport, memory: createUploadMemory(undefined) },
    chunksAtOnce: () => input.chunksAtOnce,
  })
  try {
    const details = { title: 'A clip', description: '', category: null, tags: [], isAnonymous: false }
    const outcome = await engine.start({ userId: 1, file, details })
    if (outcome.kind !== 'complete') throw new Error(`The upload ended as ${outcome.kind}: ${engine.failure()} ${(engine.failure() as Error)?.cause}`)
    return file.size / ((ended - begun) / 1000)
  } finally {
    agent.destroy()
    await line.stop()
  }
}
