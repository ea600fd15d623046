import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { childEnvironment, childFolder } from './child-environment.ts'
import type { TestMember, TestSite } from './test-site.ts'

const SCRIPT = join(import.meta.dirname, '..', '..', 'src', 'server', 'command', 'worker.ts')

export type WorkerProcess = ReturnType<typeof startWorker>

/** Starts a worker of a site in a process of its own; it ends with this one. */
export function startWorker({
  origin,
  token,
  args = [],
  env = {},
  isGroup = false,
}: {
  origin: string
  token: string
  args?: string[]
  env?: Record<string, string>
  /** It leads a group of all that it starts. */
  isGroup?: boolean
}) {
  const child = spawn(process.execPath, [SCRIPT, origin, '--token', token, ...args], {
    cwd: childFolder,
    env: { ...childEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
  })
  const pid = child.pid as number
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const kill = (signal: NodeJS.Signals) => {
    if (!isOver()) process.kill(isGroup ? -pid : pid, signal)
  }
  const killChild = () => kill('SIGKILL')
  process.once('exit', killChild)
  const exited = once(child, 'exit').then(() => void process.off('exit', killChild))
  const output: string[] = []
  child.stdout.on('data', (data) => output.push(String(data)))
  child.stderr.on('data', (data) => output.push(String(data)))
  return {
    pid,
    output: () => output.join(''),
    exited,
    /** What ended it, if that was a signal. */
    signal: () => child.signalCode,
    /** Answers its exit code, with `signal` or by itself. */
    async end(signal?: NodeJS.Signals): Promise<number | null> {
      if (signal) kill(signal)
      await exited
      return child.exitCode
    },
  }
}

/** Adds a worker to a site, as `admin`. */
export async function addWorker(
  site: TestSite,
  admin: TestMember,
  name = 'gaming-pc',
): Promise<{ id: number; token: string }> {
  const url = '/trpc/worker.create'
  const made = await site.post(url, { as: admin, payload: { name } })
  return made.json().result.data
}
