import { errorStatus } from '#client/platform/error-message.ts'
import type { trpcClient } from '#client/trpc.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { sampledChunks } from '#shared/sampled-chunks.ts'
import type { ComparedFile } from '#shared/schemas/upload.schemas.ts'
import { chunkCountOf } from '../form/video-file.ts'
import type { QueueItem } from './queue-item.ts'

const ASK_AGAIN_MS = 2000

/**
 * A visible video with the same bytes. Without SHA-256 (pages without TLS) the file counts as new.
 * Retries while `isWanted`, because a file that arrived before a crash would be sent twice.
 */
export async function findSameVideo(
  client: typeof trpcClient,
  file: File,
  isWanted: () => boolean,
): Promise<QueueItem['same']> {
  const compared = await describeFile(file).catch(() => undefined)
  while (compared && isWanted()) {
    try {
      const [found] = await client.upload.findSame.query({ files: [compared] })
      return found ?? undefined
    } catch (error) {
      const status = errorStatus(error)
      if (status !== undefined && status < 500 && status !== 429) return undefined
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
    }
  }
  return undefined
}

/** 'You uploaded this already, as “Rust”'. */
export function sameSentence({ title, isOwn }: NonNullable<QueueItem['same']>): string {
  return isOwn
    ? `You uploaded this already, as “${title}”`
    : `This video is here already: “${title}”`
}

async function describeFile(file: File): Promise<ComparedFile> {
  const hashes: string[] = []
  for (const index of sampledChunks(chunkCountOf(file.size))) {
    const start = index * UPLOAD_CHUNK_BYTES
    const bytes = await file.slice(start, start + UPLOAD_CHUNK_BYTES).arrayBuffer()
    hashes.push(hexOf(await crypto.subtle.digest('SHA-256', bytes)))
  }
  return { fileSize: file.size, hashes }
}

const hexOf = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
