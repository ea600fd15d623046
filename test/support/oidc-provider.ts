import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { findFreePort } from './free-port.ts'

export type OidcStart = { port: number; origin: string; clientId: string; clientSecret: string }

export type OidcOrder =
  | { kind: 'sign-in-as'; subject: string; claims: Record<string, unknown> }
  | { kind: 'cancel' }
  /** Changes the tokens that are issued from now on; undefined issues correct ones again. */
  | {
      kind: 'change-tokens'
      change:
        | { algorithm: 'RS256' | 'HS256' | 'none' | 'foreign'; claims?: Record<string, unknown> }
        | undefined
    }
  | { kind: 'change-keys' }
  /** Signs claims with the key of the provider. */
  | { kind: 'sign'; claims: Record<string, unknown> }

export type OidcServer = Awaited<ReturnType<typeof startOidcServer>>

/** Starts a provider for a site at `origin`. */
export async function startOidcServer(origin: string) {
  const start: OidcStart = {
    port: await findFreePort(),
    origin,
    clientId: 'clutch',
    clientSecret: 'the secret of clutch',
  }
  let child: ChildProcess
  const run = async () => {
    child = fork(join(import.meta.dirname, 'oidc-server.ts'), [JSON.stringify(start)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    })
    await once(child, 'message')
  }
  await run()
  let orders = 0
  const tell = async <Result = void>(order: OidcOrder): Promise<Result> => {
    const id = ++orders
    return new Promise((done) => {
      const read = (answer: { id: number; result: Result }) => {
        if (answer.id !== id) return
        child.off('message', read)
        done(answer.result)
      }
      child.on('message', read)
      child.send({ id, order })
    })
  }
  return {
    issuer: `http://127.0.0.1:${start.port}`,
    clientId: start.clientId,
    clientSecret: start.clientSecret,
    tell,
    signInAs: (subject: string, claims: Record<string, unknown> = {}) =>
      tell({ kind: 'sign-in-as', subject, claims }),
    /** Runs `work` while the provider does not answer. */
    async whileDown(work: () => Promise<void>): Promise<void> {
      child.kill()
      await once(child, 'exit')
      try {
        await work()
      } finally {
        await run()
      }
    },
    async stop(): Promise<void> {
      child.kill()
      await once(child, 'exit')
    },
  }
}

export function setUpOidcServer(origin: string): OidcServer {
  const server = {} as OidcServer
  beforeAll(async () => {
    Object.assign(server, await startOidcServer(origin))
  })
  afterAll(() => server.stop())
  return server
}

/**
 * Follows the redirects of a provider as a browser does, with its cookies.
 * @returns the address on the site at which the redirects end
 */
export async function followToSite(
  url: string,
  { origin, cookies = new Map() }: { origin: string; cookies?: Map<string, string> },
): Promise<URL> {
  let next = new URL(url)
  for (let steps = 0; steps < 10; steps++) {
    if (next.origin === origin) return next
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`${next}: ${answer.status} ${await answer.text()}`)
    next = new URL(location, next)
  }
  throw new Error('The provider redirects without end.')
}
