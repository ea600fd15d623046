import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { childEnvironment, childFolder } from '../../support/child-environment.ts'
import { findFreePort } from '../../support/free-port.ts'
import { mediaVariables } from '../../support/media-variables.ts'
import { npmStart } from '../../support/npm-start.ts'
import { findSetupCode } from '../../support/server-process.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const START_TIMEOUT_MS = 60_000
const POLL_MS = 5

export type SiteProcess = Awaited<ReturnType<typeof startSiteProcess>>

/**
 * Starts the real server on a data folder, as `npm start` does, and waits for its first answer: the home list.
 * @param options.flags for Node itself
 * @throws with what the server said, when it does not answer within a minute
 */
export async function startSiteProcess(options: {
  dataFolder: string
  env?: Record<string, string>
  flags?: string[]
  /** Where the program lies, if it is another version. */
  root?: string
  /** A free one when there is none. */
  port?: number
}) {
  const port = options.port ?? (await findFreePort())
  const origin = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [
      ...npmStart.flags,
      ...(options.flags ?? []),
      join(options.root ?? ROOT, 'src', 'server', 'main.ts'),
    ],
    {
      cwd: childFolder,
      env: {
        ...childEnvironment,
        ...npmStart.environment,
        DATA_DIR: options.dataFolder,
        PORT: String(port),
        HOST: '127.0.0.1',
        RATE_LIMIT_SCALE: '100000',
        LOG_LEVEL: 'warn',
        RENDITIONS: '144',
        ...(await mediaVariables(options.dataFolder)),
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const output: string[] = []
  child.stdout.on('data', (data) => output.push(String(data)))
  child.stderr.on('data', (data) => output.push(String(data)))
  const killChild = () => child.kill('SIGKILL')
  process.once('exit', killChild)
  const exited = once(child, 'exit').then(() => {
    process.off('exit', killChild)
  })
  const answered = await waitForAnswer(child, `${origin}/api/videos`)
  return {
    origin,
    output,
    /** False when it died before it answered anything. */
    answered,
    /** From the start of the process to its first answer. */
    startSeconds: (performance.now() - began) / 1000,
    exited,
    pid: child.pid as number,
    setupCode: () => findSetupCode(output),
    signal: () => child.signalCode,
    exitCode: () => child.exitCode,
    async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
      child.kill(signal)
      await exited
    },
  }
}

async function waitForAnswer(child: ChildProcess, url: string): Promise<boolean> {
  const deadline = performance.now() + START_TIMEOUT_MS
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) return false
    const answer = await fetch(url).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    if (answer?.ok) return true
    await pause(POLL_MS)
  }
  child.kill('SIGKILL')
  return false
}
