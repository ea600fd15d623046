import { readFile } from 'node:fs/promises'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'

export const PASSWORD = 'correct horse'

/** A user who calls the documented API with a session. */
export type Member = {
  id: number
  username: string
  /** Of the session. */
  cookie: string
  call: (method: string, path: string, body?: object | FormData) => Promise<Response>
}

export async function register(
  origin: string,
  username: string,
  displayName = `The ${username}`,
): Promise<Member> {
  const email = `${username}@example.org`
  const account = { username, email, displayName, password: PASSWORD }
  const answer = await send(`${origin}/api/register`, { method: 'POST', body: account })
  const { id } = (await answer.json()) as { id: number }
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const call: Member['call'] = (method, path, body) =>
    send(`${origin}/api${path}`, { method, body, headers: { cookie } })
  return { id, username, cookie, call }
}

async function send(
  url: string,
  request: { method: string; body?: object | FormData | undefined; headers?: object },
): Promise<Response> {
  const { method, body } = request
  const isForm = body instanceof FormData
  const answer = await fetch(url, {
    method,
    headers: { ...request.headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
  return answer
}

/** Uploads a file. @returns the video's id */
export async function uploadVideo(member: Member, path: string, title: string): Promise<number> {
  const bytes = await readFile(path)
  const file = { fileName: 'clip.mp4', fileSize: bytes.length, fileType: 'video/mp4' }
  const opened = await member.call('POST', '/uploads/initialize', { ...file, metadata: { title } })
  const { uploadId } = (await opened.json()) as { uploadId: string }
  const total = Math.ceil(bytes.length / UPLOAD_CHUNK_BYTES)
  for (let index = 0; index < total; index++) {
    const start = index * UPLOAD_CHUNK_BYTES
    const form = new FormData()
    form.set('uploadId', uploadId)
    form.set('chunkIndex', String(index))
    form.set('totalChunks', String(total))
    form.set('chunk', new Blob([bytes.subarray(start, start + UPLOAD_CHUNK_BYTES)]))
    await member.call('POST', '/uploads/chunk', form)
  }
  const done = await member.call('POST', '/uploads/complete', { uploadId, thumbnailUrl: null })
  const { videoId } = (await done.json()) as { videoId: number }
  return videoId
}
