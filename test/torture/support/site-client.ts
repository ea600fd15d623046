import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'

export type Answer = { status: number; text: string; json: <Shape>() => Shape }
export type SiteClient = ReturnType<typeof createSiteClient>

const PASSWORD = 'correct horse'
/** Nothing that a client waits for takes longer on a site that lives. */
const TIMEOUT_MS = 120_000

/** Treats 503 as no answer, because the request is to be repeated. */
export const unlessLater = (answer: Answer | undefined) =>
  answer?.status === 503 ? undefined : answer

/**
 * A person at a site that may die at any moment: every call answers undefined when no answer came, and
 * then nobody knows whether it was done.
 */
export function createSiteClient(
  origin: string,
  /** What an answer, or none, counts for; one that is asked for again later is none. */
  judge: (answer: Answer | undefined) => Answer | undefined = (answer) => answer,
) {
  let cookie = ''

  async function send(
    method: string,
    path: string,
    body?: object | FormData,
  ): Promise<Answer | undefined> {
    const isForm = body instanceof FormData
    const headers: Record<string, string> = { cookie }
    if (body && !isForm) headers['content-type'] = 'application/json'
    try {
      const response = await fetch(origin + path, {
        method,
        headers,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const fresh = response.headers.getSetCookie()[0]?.split(';')[0]
      if (fresh) cookie = fresh
      return judge({ status: response.status, text, json: () => JSON.parse(text) })
    } catch {
      return judge(undefined)
    }
  }

  const form = (fields: Record<string, string | Buffer>) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'string') data.set(name, value)
      else data.set(name, new Blob([new Uint8Array(value)]), 'blob')
    }
    return data
  }

  return {
    origin,
    send,
    cookie: () => cookie,
    setCookie: (value: string) => {
      cookie = value
    },
    get: (path: string) => send('GET', path),
    /** Calls a procedure that changes something. */
    call: (name: string, input: object = {}) => send('POST', `/trpc/${name}`, input),

    /** With the site's setup code as its admin. */
    async register(username: string, setupCode?: string): Promise<number | undefined> {
      const email = `${username}@example.org`
      const account = { username, email, displayName: username, password: PASSWORD, setupCode }
      const answer = await send('POST', '/api/register', account)
      return answer?.status === 201 ? answer.json<{ id: number }>().id : undefined
    },

    logIn: (username: string, password = PASSWORD) =>
      send('POST', '/api/login', { username, password }),
    confirmPassword: () => send('POST', '/trpc/settings.confirmPassword', { password: PASSWORD }),
    deleteAccount: () => send('POST', '/trpc/settings.deleteAccount', { password: PASSWORD }),

    initialize: (file: { title: string; size: number; resumeUploadId?: string | undefined }) =>
      send('POST', '/api/uploads/initialize', {
        fileName: `${file.title}.mp4`,
        fileSize: file.size,
        metadata: { title: file.title },
        resumeUploadId: file.resumeUploadId,
      }),

    chunk: (uploadId: string, index: number, bytes: Buffer) =>
      send(
        'POST',
        '/api/uploads/chunk',
        form({
          uploadId,
          chunkIndex: String(index),
          totalChunks: String(Math.ceil(bytes.length / UPLOAD_CHUNK_BYTES)),
          chunk: bytes.subarray(index * UPLOAD_CHUNK_BYTES, (index + 1) * UPLOAD_CHUNK_BYTES),
        }),
      ),

    thumbnail: (uploadId: string, picture: Buffer) =>
      send('POST', '/api/uploads/thumbnail', form({ uploadId, thumbnail: picture })),

    complete: (uploadId: string, thumbnailUrl?: string) =>
      send('POST', '/api/uploads/complete', { uploadId, thumbnailUrl }),

    poster: (videoId: number, picture: Buffer) =>
      send('POST', `/api/videos/${videoId}/thumbnail`, form({ thumbnail: picture })),

    avatar: (picture: Buffer) => send('POST', '/api/settings/avatar', form({ picture })),

    captions: (videoId: number, language: string, text: string) =>
      send(
        'POST',
        `/api/videos/${videoId}/captions`,
        form({ language, captions: Buffer.from(text) }),
      ),

    /** A user else's account; one stays who one is. */
    async registerAnother(username: string): Promise<Answer | undefined> {
      const own = cookie
      const email = `${username}@example.org`
      const account = { username, email, displayName: username, password: PASSWORD }
      return send('POST', '/api/register', account).finally(() => {
        cookie = own
      })
    },

    /** `videoId` or `commentId`. */
    rate: (target: object, isLike: boolean) =>
      send('POST', '/trpc/like.set', { ...target, isLike }),
    comment: (videoId: number, content: string) =>
      send('POST', '/trpc/comment.create', { videoId, content }),
    deleteVideo: (id: number) => send('DELETE', `/api/videos/${id}`),
  }
}

/** What a procedure answered. */
export function resultOf<Shape>(answer: Answer): Shape {
  return answer.json<{ result: { data: Shape } }>().result.data
}
