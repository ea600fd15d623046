import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childEnvironment } from './child-environment.ts'
import { PASSWORD } from './site-member.ts'

/** `clutch.mjs` as the site serves it, with its settings in the same folder. */
export async function downloadUploader({ origin, folder }: { origin: string; folder: string }) {
  const answer = await fetch(`${origin}/get/clutch.mjs`)
  const path = join(folder, 'clutch.mjs')
  await writeFile(path, await answer.text())
  const started: ChildProcess[] = []
  const start = (args: string[], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [path, ...args], {
      env: { ...childEnvironment, XDG_CONFIG_HOME: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    started.push(child)
    const texts = { out: '', err: '' }
    child.stdout.on('data', (data) => {
      texts.out += data
    })
    child.stderr.on('data', (data) => {
      texts.err += data
    })
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...texts }))
    return { child, texts, ended }
  }
  return {
    answer,
    start,
    run: (...args: string[]) => start(args).ended,
    /** Kills the processes that still run. */
    stop(): void {
      for (const child of started) child.kill('SIGKILL')
    },
  }
}

export type Uploader = Awaited<ReturnType<typeof downloadUploader>>

/** Signs a member in and confirms the password. */
export async function openConfirmed(origin: string, username: string) {
  const ask = async (path: string, body: object, cookie = '') => {
    const answer = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const cookieOf = ({ headers }: Response) =>
    headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
  const login = await ask('/api/login', { username, password: PASSWORD })
  const password = { password: PASSWORD }
  const cookie = cookieOf(await ask('/trpc/settings.confirmPassword', password, cookieOf(login)))
  return {
    mutate: (name: string, input: object) => ask(`/trpc/${name}`, input, cookie),
    read: async (path: string) => {
      const answer = await fetch(origin + path, { headers: { cookie } })
      return answer.json()
    },
  }
}

/** Signs `clutch.mjs` in like a member who compares the codes. */
export async function signIn(
  uploader: Uploader,
  member: Awaited<ReturnType<typeof openConfirmed>>,
): Promise<{ code: number | null; err: string }> {
  const login = uploader.start(['login', '--no-browser'])
  while (!login.texts.err.includes('must be')) await once(login.child.stderr, 'data')
  const userCode = /must be ([A-Z-]+)\./.exec(login.texts.err)?.[1] ?? ''
  await member.mutate('deviceCode.approve', { userCode, days: 30 })
  return login.ended
}
