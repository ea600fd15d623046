import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSessionStore, startSession } from '#server/account/auth/lucia.ts'
import type { ServerProcess } from '#test/support/server-process.ts'
import { addMember, writeRows } from '#test/support/site-rows.ts'
import { openUpload, sendForm, sendVideo, type UploadAnswer, type Uploader } from '../send-video.ts'
import type { HostileFile, Lures } from './hostile-file.ts'

/** What may become of a file that need not be refused. */
const OUTCOMES = [200, 201, 422]
const SENTENCE = /^[A-Z][^\n<>{}]{3,199}\.$/

export type Tried = {
  failures: string[]
  /** How often each answer was given. */
  outcomes: Map<string, number>
  slowestSeconds: number
}

/** Members who upload side by side; each may have three uploads open. */
export async function addUploaders(server: ServerProcess, count: number): Promise<Uploader[]> {
  return writeRows(server, async (db) => {
    const sessions = createSessionStore(db)
    const tokens: string[] = []
    for (let at = 0; at < count; at++) {
      const userId = await addMember(db, `Uploader ${at}`)
      await db.updateTable('users').set({ isAdmin: 1 }).where('id', '=', userId).execute()
      tokens.push(await startSession(sessions, { userId, rememberMe: false, userAgent: null }))
    }
    return tokens.map((token) => ({
      origin: server.origin,
      headers: { cookie: `clutch=${token}` },
    }))
  })
}

/** Uploads each file as a video, with another file beside it. */
export function tryVideos(
  server: ServerProcess,
  input: { uploaders: Uploader[]; files: HostileFile[]; lures: Lures },
): Promise<Tried> {
  const { lures } = input
  return tryEach(input, (uploader, file) =>
    sendVideo(uploader, file, async (uploadId) => {
      // What is taken becomes the video's folder, in which only its own files may be.
      if (file.expected === 'any') return
      const folder = join(server.dataFolder, 'uploads', uploadId)
      await writeFile(join(folder, lures.neighbour), lures.secret)
    }),
  )
}

/** Sends each file to every place that takes a picture, or to the first of them. */
export async function tryPictures(input: {
  uploaders: Uploader[]
  files: HostileFile[]
  videoId: number
  isQuick: boolean
}): Promise<Tried> {
  const [uploader] = input.uploaders as [Uploader]
  const opened = await openUpload(uploader, { name: 'for-thumbnails.mp4', bytes: Buffer.alloc(9) })
  const { uploadId } = JSON.parse(opened.text) as { uploadId: string }
  const targets = [
    { path: '/api/uploads/thumbnail', field: 'thumbnail', fields: { uploadId } },
    { path: '/api/settings/avatar', field: 'picture' },
    { path: '/api/settings/banner', field: 'picture' },
    { path: '/api/site/logo', field: 'picture' },
    { path: `/api/videos/${input.videoId}/thumbnail`, field: 'thumbnail' },
  ]
  const tried = newTried()
  for (const { path, ...form } of input.isQuick ? targets.slice(0, 2) : targets) {
    const one = await tryEach(
      { uploaders: [uploader], files: input.files },
      (by, { name, bytes }) => sendForm(by, path, { ...form, fileName: name, bytes }),
    )
    merge(tried, one)
  }
  await fetch(`${uploader.origin}/trpc/upload.cancel`, {
    method: 'POST',
    body: JSON.stringify({ uploadId }),
    headers: { ...uploader.headers, 'content-type': 'application/json' },
  })
  return tried
}

export function tryCaptions(input: {
  uploaders: Uploader[]
  files: HostileFile[]
  videoId: number
}): Promise<Tried> {
  const [uploader] = input.uploaders as [Uploader]
  return tryEach({ ...input, uploaders: [uploader] }, (by, { name, bytes }) =>
    sendForm(by, `/api/videos/${input.videoId}/captions`, {
      ...{ field: 'captions', fileName: name, bytes },
      fields: { language: 'de', label: name },
    }),
  )
}

async function tryEach(
  { uploaders, files }: { uploaders: Uploader[]; files: HostileFile[] },
  send: (uploader: Uploader, file: HostileFile) => Promise<UploadAnswer>,
): Promise<Tried> {
  const tried = newTried()
  const waiting = [...files]
  const work = async (uploader: Uploader) => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const began = performance.now()
      const answer = await send(uploader, file)
      tried.slowestSeconds = Math.max(tried.slowestSeconds, (performance.now() - began) / 1000)
      note(tried, file, answer)
    }
  }
  await Promise.all(uploaders.map(work))
  return tried
}

function note(
  { outcomes, failures }: Tried,
  file: HostileFile,
  { status, text }: UploadAnswer,
): void {
  outcomes.set(`${status}`, (outcomes.get(`${status}`) ?? 0) + 1)
  const right = file.expected === 'any' ? OUTCOMES : [file.expected]
  if (!right.includes(status)) {
    failures.push(`${file.name} was answered ${status}, not ${right.join(' or ')}: ${text}`)
  } else if (status >= 400 && !SENTENCE.test(text)) {
    failures.push(`${file.name} was refused with '${text}'`)
  }
}

function newTried(): Tried {
  return { failures: [], outcomes: new Map(), slowestSeconds: 0 }
}

export function merge(into: Tried, one: Tried): void {
  into.failures.push(...one.failures)
  for (const [outcome, count] of one.outcomes) {
    into.outcomes.set(outcome, (into.outcomes.get(outcome) ?? 0) + count)
  }
  into.slowestSeconds = Math.max(into.slowestSeconds, one.slowestSeconds)
}
