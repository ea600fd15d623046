import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

type Held = { asked: IncomingMessage; body: Buffer; response: ServerResponse }

export type LateProxy = Awaited<ReturnType<typeof startLateProxy>>

/** A proxy before an object store by which some PUTs arrive late: also when whoever sent them has given up by then. */
export async function startLateProxy(target: string) {
  const { hostname, port } = new URL(target)
  const held: Held[] = []
  let rule: { of: RegExp; ms: number | undefined; left: number } | undefined
  let arrivals = 0

  function send({ asked, body, response }: Held): Promise<void> {
    const { method, url: path, headers } = asked
    return new Promise((resolve) => {
      const onward = request({ hostname, port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response).on('error', () => {})
        answer.on('close', resolve)
      })
      onward.on('error', () => {
        response.destroy()
        resolve()
      })
      onward.end(body)
    })
  }

  const server = createServer(async (asked, response) => {
    asked.on('error', () => {})
    const isLate = asked.method === 'PUT' && rule?.of.test(asked.url ?? '') && rule.left > 0
    if (!rule || !isLate) {
      const { method, url: path, headers } = asked
      const onward = request({ hostname, port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      onward.on('error', () => response.destroy())
      response.on('close', () => onward.destroy())
      asked.pipe(onward)
      return
    }
    rule.left -= 1
    const { ms } = rule
    const body = await buffer(asked).catch(() => undefined)
    if (!body) return
    const late = { asked, body, response }
    held.push(late)
    if (ms === undefined) return void response.destroy()
    await pause(ms, undefined, { ref: false })
    arrivals += 1
    await send(late)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The addresses of the PUTs that were held so far. */
    listHeld: () => held.map(({ asked }) => asked.url ?? ''),
    /** How many of them have been sent on. */
    countArrivals: () => arrivals,

    /**
     * Holds the next PUTs of some addresses, at most `times` of them: for `ms`, or without it until they are told to arrive,
     * while who sent them sees a broken connection.
     */
    hold(
      of: RegExp,
      { ms, times = Number.POSITIVE_INFINITY }: { ms?: number; times?: number } = {},
    ) {
      rule = { of, ms, left: times }
    },

    /** Holds no more. */
    pass(): void {
      rule = undefined
    },

    /** Has all that was held arrive now, in its order. */
    async arrive(): Promise<void> {
      for (const late of held) {
        arrivals += 1
        await send(late)
      }
    },

    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
