import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment } from './child-environment.ts'
import { findFreePort } from './free-port.ts'
import { mediaVariables } from './media-variables.ts'
import type { HostAnswer, HostRequest } from './site-host.ts'
import { keepPagesOf } from './used-pages.ts'

const HOST = join(import.meta.dirname, 'site-host.ts')

export type HostedSite = Awaited<ReturnType<typeof openHostedSite>>

type Host = { child: ChildProcess; port: number; origin: string }

let host: Promise<Host> | undefined

/**
 * The whole server on a data folder of its own, in the process and on the port that the test files of this process
 * use one after the other: opening a site ends the one before. It lacks only what `main.ts` itself does, about
 * signals, locks and file modes.
 */
export async function openHostedSite(
  options: { dataFolder?: string; env?: Record<string, string> } = {},
) {
  host ??= startHost()
  const { child, port, origin } = await host
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'clutch-site-')))
  const { setupCode } = await ask(child, {
    kind: 'open',
    env: {
      ...{ PORT: String(port), HOST: '127.0.0.1', RATE_LIMIT_SCALE: '1000', DATA_DIR: dataFolder },
      ...(await mediaVariables(dataFolder)),
      ...options.env,
    },
  })
  return {
    origin,
    port,
    dataFolder,
    /** What registers the first admin. */
    setupCode: async () => setupCode as string,
    /** Ends the site and removes its data folder. */
    async remove(): Promise<void> {
      await ask(child, { kind: 'close' })
    },
  }
}

async function startHost(): Promise<Host> {
  const port = await findFreePort()
  const child = fork(HOST, {
    env: childEnvironment,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  const origin = `http://127.0.0.1:${port}`
  keepPagesOf(origin)
  return { child, port, origin }
}

async function ask(child: ChildProcess, request: HostRequest): Promise<HostAnswer> {
  child.channel?.ref()
  const over = new AbortController()
  const ended = once(child, 'exit', over).then(([code]) => [
    { error: `The host ended with ${code}.` },
  ])
  const answered = Promise.race([once(child, 'message', over), ended])
  child.send(request)
  const [answer] = (await answered) as [HostAnswer]
  over.abort()
  child.channel?.unref()
  if (answer.error !== undefined) throw new Error(answer.error)
  return answer
}
