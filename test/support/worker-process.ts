import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { childEnvironment, childFolder } from './child-environment.ts'
import type { TestMember, TestSite } from './test-site.ts'

const SCRIPT = join(import.meta.dirname, '..', '..', 'src', 'server', 'command', 'worker.ts')

export type WorkerProcess = ReturnType<typeof startWorker>

/** Starts a worker of a site in a process of its own. */
export function startWorker({
  origin,
  token,
  args = [],
}: {
  origin: string
  token: string
  args?: string[]
}) {
  const child = spawn(process.execPath, [SCRIPT, origin, '--token', token, ...args], {
    cwd: childFolder,
    env: childEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  child.stdout.on('data', (data) => output.push(String(data)))
  child.stderr.on('data', (data) => output.push(String(data)))
  return {
    pid: child.pid as number,
    output: () => output.join(''),
    /** Answers its exit code, with `signal` or by itself. */
    async end(signal?: NodeJS.Signals): Promise<number | null> {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const exited = once(child, 'exit')
      if (signal) child.kill(signal)
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
  const made = await site.call({ as: admin, method: 'POST', url, payload: { name } })
  return made.json().result.data
}
