import { readFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { CHUNKS_AT_ONCE } from '#client/create/upload/transfer/chunk-sender.ts'
import { createUploadEngine } from '#client/create/upload/transfer/upload-engine.ts'
import { createUploadMemory } from '#client/create/upload/transfer/upload-memory.ts'
import type { EngineTransport } from '#client/create/upload/transfer/upload-transport.ts'
import { uploadDetailsSchema } from '#shared/schemas/upload.schemas.ts'
import { sendChunk, type Target } from './send-chunk.ts'
import { startFloor } from './server-child.ts'
import type { LineShape } from './shaped-line.ts'

/** 1 Gb/s of bodies and heads; TCP's own bytes are left out. */
export const FAST_LINE = { bytesPerSecond: 125_000_000, roundTripMs: 20 }

/**
 * Sends a file through the line with the engine of the upload list, over HTTP of Node, without completing it.
 * @param input.upload at the site; a server that takes anything takes any
 * @returns seconds
 */
export async function sendThroughLine(input: {
  port: number
  line: LineShape
  path: string
  /** How many bytes of the file are sent, counted from its start. */
  bytes: number
  upload: { uploadId: string; cookie: string }
}): Promise<number> {
  const { uploadId, cookie } = input.upload
  const shape = [input.port, input.line.bytesPerSecond, input.line.roundTripMs]
  const line = await startFloor('line', ...shape.map(String))
  const agent = new Agent({ keepAlive: true })
  const target: Target = { origin: line.origin, cookie, agent }
  const whole = await readFile(input.path)
  const file = new File([whole.subarray(0, input.bytes)], 'clip.mp4')
  let [begun, ended] = [0, 0]
  const transport: EngineTransport = {
    async initialize() {
      begun = performance.now()
      return { uploadId, chunkSize: 0, received: [], resumed: false }
    },
    async sendChunk({ chunk, ...fields }) {
      const bytes = Buffer.from(await chunk.arrayBuffer())
      await sendChunk(target, { fields, bytes })
      // Else collecting the garbage of this process is measured too.
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
    chunksAtOnce: () => CHUNKS_AT_ONCE,
  })
  try {
    const details = uploadDetailsSchema.parse({ title: 'A clip' })
    const outcome = await engine.start({ userId: 1, file, details })
    if (outcome.kind !== 'complete')
      throw new Error('The line carried no upload.', { cause: engine.failure() })
    return (ended - begun) / 1000
  } finally {
    agent.destroy()
    await line.stop()
  }
}
