import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '#server/platform/errors.ts'
import { decodeCaptions } from './decode-captions.ts'
import { type ParsedCaptions, parseCaptions } from './parse-captions.ts'

export type CaptionReply = ParsedCaptions | { refusal: string }

parentPort?.postMessage(read(Buffer.from(workerData as Uint8Array)))

function read(bytes: Buffer): CaptionReply {
  try {
    return parseCaptions(decodeCaptions(bytes))
  } catch (error) {
    if (error instanceof AppError) return { refusal: error.message }
    throw error
  }
}
