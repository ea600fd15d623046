import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

/** Uploads a file of at most one chunk as the member of a page, which must be on the site. @returns the video's id */
export async function uploadFrom(
  page: Page,
  file: { path: string; title: string },
): Promise<number> {
  const { origin } = new URL(page.url())
  const bytes = await readFile(file.path)
  const { request } = page.context()
  const call = async (path: string, body: Record<string, unknown>) => {
    const answer = await request.post(`${origin}/api/uploads/${path}`, body)
    if (!answer.ok()) throw new Error(`${answer.status()}: ${await answer.text()}`)
    return answer.json()
  }
  const { uploadId } = await call('initialize', {
    data: {
      fileName: 'clip.mp4',
      fileSize: bytes.length,
      fileType: 'video/mp4',
      metadata: { title: file.title },
    },
  })
  const chunk = { name: 'chunk', mimeType: 'application/octet-stream', buffer: bytes }
  await call('chunk', { multipart: { uploadId, chunkIndex: '0', totalChunks: '1', chunk } })
  return (await call('complete', { data: { uploadId, thumbnailUrl: null } })).videoId
}
