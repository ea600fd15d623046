import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { childFolder } from '#test/support/child-environment.ts'
import { npmStart } from '#test/support/npm-start.ts'
import { findFreePort } from '../support/free-port.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const START_TIMEOUT_MS = 60_000
const POLL_MS = 3
/** The unit of /proc/<pid>/stat on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

export type ServerChild = Awaited<ReturnType<typeof startChild>>

/** The site's own server on a data folder, as `npm start` starts it. */
export function startSite(
  dataFolder: string,
  more: { settings?: Record<string, string>; flags?: string[] } = {},
) {
  return startChild({
    flags: [...npmStart.flags, ...(more.flags ?? [])],
    script: 'src/server/main.ts',
    arguments: [],
    ready: '/api/health',
    settings: { ...npmStart.environment, ...more.settings, DATA_DIR: dataFolder },
  })
}

/** One of the floors, by its file's name. */
export function startFloor(name: string, ...more: string[]) {
  return startChild({ script: `test/bench/floor/${name}.ts`, arguments: more, ready: '/' })
}

/** Starts a server on loopback and waits for its first answer; it ends with this process. */
async function startChild(input: {
  flags?: string[]
  script: string
  arguments: string[]
  ready: string
  /** Environment variables. */
  settings?: Record<string, string>
}) {
  const port = await findFreePort()
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [...(input.flags ?? []), join(ROOT, input.script), String(port), ...input.arguments],
    {
      cwd: childFolder,
      env: environmentOf(port, input.settings),
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const origin = `http://127.0.0.1:${port}`
  await waitForAnswer(child, origin + input.ready)
  return {
    origin,
    port,
    pid: child.pid as number,
    /** From the start of the process to its first answer. */
    startSeconds: (performance.now() - began) / 1000,
    /** Megabytes that the process has in memory now, or had at most; undefined where the system does not report it. */
    memory: (kind: 'now' | 'peak') => readMemory(child.pid, kind === 'now' ? 'VmRSS' : 'VmHWM'),
    /** Seconds of processor time that the process has used; undefined where the system does not report it. */
    cpuSeconds: () => readCpuSeconds(child.pid),
    async stop(): Promise<void> {
      process.off('exit', kill)
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

function environmentOf(port: number, settings: Record<string, string> | undefined) {
  return {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'node'),
    HOST: '127.0.0.1',
    PORT: String(port),
    // Visitors' answers come more than 30,000 times a second.
    RATE_LIMIT_SCALE: '100000',
    LOG_LEVEL: 'error',
    ...settings,
  }
}

/** Any answer will do. */
export async function waitForAnswer(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS
  while (performance.now() < deadline && child.exitCode === null) {
    if (await answers(url)) return
    await pause(POLL_MS)
  }
  child.kill('SIGKILL')
  throw new Error(`${url} did not answer.`)
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request(url, { agent: false }, (response) => {
      response.resume()
      resolve(true)
    })
    asking.on('error', () => resolve(false)).end()
  })
}

async function readMemory(pid: number | undefined, field: string): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

/** Seconds of processor time that a process has used; undefined where the system does not report it. */
export async function readCpuSeconds(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The second field is the program's name in brackets and may hold spaces.
  const fields = status?.slice(status.lastIndexOf(')') + 2).split(' ')
  return fields && (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
