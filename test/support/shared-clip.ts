import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

const CHUNK_BYTES = 2 * 1024 * 1024

/** Uploads a clip as the one signed in on the page. @returns the video's id */
export async function uploadClip(page: Page, path: string, metadata: object): Promise<number> {
  const bytes = await readFile(path)
  const opened = await page.request.post('/api/uploads/initialize', {
    data: { fileName: 'clip.mp4', fileSize: bytes.length, fileType: 'video/mp4', metadata },
  })
  const { uploadId } = (await opened.json()) as { uploadId: string }
  const totalChunks = Math.ceil(bytes.length / CHUNK_BYTES)
  for (let chunkIndex = 0; chunkIndex < totalChunks; chunkIndex++) {
    const start = chunkIndex * CHUNK_BYTES
    const buffer = bytes.subarray(start, start + CHUNK_BYTES)
    const chunk = { name: 'blob', mimeType: 'application/octet-stream', buffer }
    await page.request.post('/api/uploads/chunk', {
      multipart: { uploadId, chunkIndex, totalChunks, chunk },
    })
  }
  const done = await page.request.post('/api/uploads/complete', {
    data: { uploadId, thumbnailUrl: null },
  })
  return ((await done.json()) as { videoId: number }).videoId
}
