import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment, childFolder } from './child-environment.ts'
import { findFreePort } from './free-port.ts'
import { mediaVariables } from './media-variables.ts'

const ROOT = join(import.meta.dirname, '..', '..')

export type ServerProcess = Awaited<ReturnType<typeof startServer>>

/** Starts the real server in a process of its own and waits for its first answer. */
export async function startServer(
  options: {
    dataFolder?: string
    port?: number
    env?: Record<string, string>
    /** Where the program lies, if it is another version. */
    root?: string
  } = {},
) {
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'clutch-site-')))
  const port = options.port ?? (await findFreePort())
  const child = spawn(process.execPath, [join(options.root ?? ROOT, 'src', 'server', 'main.ts')], {
    cwd: childFolder,
    env: {
      ...childEnvironment,
      DATA_DIR: dataFolder,
      PORT: String(port),
      HOST: '127.0.0.1',
      RATE_LIMIT_SCALE: '1000',
      LOG_LEVEL: 'warn',
      DRAIN_SECONDS: '0',
      ...(await mediaVariables(dataFolder)),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  child.stdout.on('data', (data) => output.push(String(data)))
  child.stderr.on('data', (data) => output.push(String(data)))
  const origin = `http://127.0.0.1:${port}`
  await waitForHealth({ origin, child, output })
  return {
    origin,
    port,
    dataFolder,
    output,
    pid: child.pid as number,
    /** What it prints for the first admin. @throws when it prints none within some seconds */
    setupCode: () => findSetupCode(output),
    /** Ends it with `signal` and answers its exit code. */
    async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
      return child.exitCode
    },
    async remove(): Promise<void> {
      await this.stop('SIGKILL')
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The setup code in what a server has printed, as soon as it is there. */
export async function findSetupCode(output: string[]): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const code = /\/auth\?setup=([\w-]{22})\n/.exec(output.join(''))?.[1]
    if (code) return code
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The server printed no setup code:\n${output.join('')}`)
}

async function waitForHealth(input: {
  origin: string
  child: ChildProcess
  output: string[]
}): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (input.child.exitCode !== null || input.child.signalCode !== null) break
    const answer = await fetch(`${input.origin}/api/health`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The server did not start:\n${input.output.join('')}`)
}
