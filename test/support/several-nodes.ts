import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { procedureRequest } from './procedure-call.ts'
import { startRoundRobin } from './round-robin.ts'
import { startS3Server } from './s3-server.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { PASSWORD } from './world.ts'

export type SeveralNodes = Awaited<ReturnType<typeof startNodes>>
export type NodeMember = { id: number; username: string; cookie: string }
type Call = { as?: NodeMember | undefined; name: string; input?: unknown }

/**
 * Starts real servers, each with a data folder of its own, on one database of PostgreSQL and one store, behind a proxy
 * that asks them in turn. They prepare no videos.
 * @param options.urls the address by which each node reaches the database, which the first one migrates
 */
export async function startNodes(options: { urls: string[]; env?: Record<string, string> }) {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-nodes-'))
  const store = await startS3Server()
  const variables = {
    ...store.mediaVariables('nodes'),
    ...{ PROCESSING_JOBS: '0', TRUSTED_PROXY: '127.0.0.1' },
  }
  const nodes: ServerProcess[] = []
  for (const [at, url] of options.urls.entries()) {
    nodes.push(
      await startServer({
        dataFolder: join(folder, `node-${at}`),
        env: { ...variables, DATABASE_URL: url, ...options.env },
      }),
    )
  }
  const proxy = await startRoundRobin(nodes.map(({ port }) => port))
  return {
    nodes,
    folder,
    /** Environment variables of each node. */
    variables,
    /** Where the proxy is. */
    origin: proxy.origin,
    store,

    async stop(): Promise<void> {
      await proxy.stop()
      for (const node of nodes) await node.remove()
      await store.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Calls a procedure at an origin, which is a node's or the proxy's. */
export async function ask(origin: string, { as, name, input }: Call) {
  const { method, url, payload, headers } = {
    payload: null,
    headers: {},
    ...procedureRequest(name, input),
  }
  return askAt(origin, { as, method, url, body: payload, headers })
}

/** Sends a request. @throws when it is not answered within 20 seconds */
export async function askAt(
  origin: string,
  request: {
    url: string
    as?: NodeMember | undefined
    method?: string
    body?: string | Buffer | null
    headers?: Record<string, string>
  },
) {
  const { url, as, method = 'GET', body = null, headers } = request
  const answer = await fetch(origin + url, {
    method,
    body: typeof body === 'string' || body === null ? body : new Uint8Array(body),
    headers: { ...(as && { cookie: as.cookie }), ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(20_000),
  })
  const text = await answer.text()
  return { url, status: answer.status, headers: answer.headers, text }
}

/** What a procedure answers. @throws when it fails */
export async function answerOf<Output>(origin: string, call: Call): Promise<Output> {
  const { status, text } = await ask(origin, call)
  if (status !== 200) throw new Error(`${call.name}: ${status} ${text}`)
  return JSON.parse(text).result.data
}

/** Makes an account, which is signed in. */
export async function register(origin: string, username: string): Promise<NodeMember> {
  const account = { username, email: `${username}@example.org`, displayName: username }
  const answer = await ask(origin, {
    name: 'auth.register',
    input: { ...account, password: PASSWORD },
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  const cookie = `${answer.headers.get('set-cookie')}`.split(';')[0] ?? ''
  const { id } = JSON.parse(answer.text).result.data
  return { id, username, cookie }
}
