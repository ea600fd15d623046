import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createSessionStore, startSession } from '#server/account/auth/lucia.ts'
import { childEnvironment } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CommandError } from '#server/platform/errors.ts'
import type { PlannedVideo } from './video-plan.ts'

const SERVER = join(import.meta.dirname, '..', '..', 'server', 'main.ts')
/** Settings of a site behind a proxy do not fit a temporary one. */
const PLAIN = { PUBLIC_URL: '', TRUSTED_PROXY: '', X_ACCEL_PREFIX: '', USER_QUOTA_BYTES: '' }
/** One machine sends all uploads. */
const LIMITS = { RATE_LIMIT_SCALE: '100' }
/** Hides retries of the server while its rows are written from here. */
const QUIET = { LOG_LEVEL: 'error' }

/**
 * Prints the server's output.
 * @throws CommandError when it ends at once
 */
export async function startSite(dataFolder: string) {
  const env = { ...childEnvironment(QUIET), ...LIMITS, ...PLAIN, DATA_DIR: dataFolder }
  const child = spawn(process.execPath, [SERVER], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.pipe(process.stdout, { end: false })
  const ended = once(child, 'exit')
  const origin = await Promise.race([readOrigin(child), ended.then(() => undefined)])
  if (origin === undefined) throw new CommandError('The site could not be started.')
  return {
    origin,
    /** Settles when the server has ended. */
    ended,
    async stop(): Promise<void> {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Parses 'Clutch is ready: http://localhost:3000'. */
async function readOrigin({ stdout }: ChildProcess): Promise<string> {
  let said = ''
  for await (const piece of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(piece)
    const origin = /is ready: (\S+)\n/.exec(said)?.[1]
    if (origin) return origin
  }
  return new Promise(() => {})
}

export class RefusedCall extends Error {}

/**
 * Returns undefined if the site refuses the call: whoever looks at the demo may have deleted or
 * hidden what it is about, or banned the member.
 */
export async function unlessRefused<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof RefusedCall) return undefined
    throw error
  }
}

export function createMembersCalls(input: { origin: string; db: Database; signal: AbortSignal }) {
  const { origin, signal } = input
  const sessions = createSessionStore(input.db)
  const cookies = new Map<number, string>()

  async function cookieOf(userId: number): Promise<string> {
    const known = cookies.get(userId)
    if (known) return known
    const session = { userId, rememberMe: false, userAgent: null }
    const cookie = `clutch=${await startSession(sessions, session)}`
    cookies.set(userId, cookie)
    return cookie
  }

  async function send(userId: number, path: string, form: FormData): Promise<unknown> {
    const headers = { cookie: await cookieOf(userId) }
    const answer = await fetch(origin + path, { method: 'POST', headers, body: form, signal })
    if (!answer.ok)
      throw new RefusedCall(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }

  return {
    /**
     * Calls a mutation.
     * @throws RefusedCall
     */
    async ask<Answer = unknown>(
      member: { id: number },
      name: string,
      input: object,
    ): Promise<Answer> {
      const headers = {
        ...{ cookie: await cookieOf(member.id), 'content-type': 'application/json' },
      }
      const body = JSON.stringify(input)
      const answer = await fetch(`${origin}/trpc/${name}`, {
        method: 'POST',
        headers,
        body,
        signal,
      })
      if (!answer.ok)
        throw new RefusedCall(`${name} answered ${answer.status}: ${await answer.text()}`)
      const { result } = (await answer.json()) as { result: { data: Answer } }
      return result.data
    },

    async uploadCaptions(video: { id: number; owner: { id: number } }, vtt: string): Promise<void> {
      const form = new FormData()
      form.set('language', 'en')
      form.set('captions', new Blob([vtt]), 'captions.vtt')
      await send(video.owner.id, `/api/videos/${video.id}/captions`, form)
    },

    async uploadAvatar(userId: number, path: string): Promise<void> {
      const form = new FormData()
      form.set('picture', new Blob([await readFile(path)]), basename(path))
      await send(userId, '/api/settings/avatar', form)
    },

    /** @returns the video's id */
    async uploadVideo(video: PlannedVideo, path: string): Promise<number> {
      const { title, description, category, tags, isAnonymous, owner } = video
      const form = new FormData()
      const fields = { title, description, category, tags: tags.join(',') }
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('isAnonymous', String(isAnonymous))
      form.set('file', new Blob([await readFile(path)]), `${title}.mp4`)
      const { videoId } = (await send(owner.id, '/api/uploads/file', form)) as { videoId: number }
      return videoId
    },
  }
}
