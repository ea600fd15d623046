import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'

export type Received = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
}
type Answer = (response: ServerResponse, received: Received) => void

const accept: Answer = (response) => void response.writeHead(204).end()

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>

/** A server on this machine that notes the requests it gets. */
export async function startWebhookReceiver() {
  const received: Received[] = []
  let answer = accept
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const body = await buffer(request).catch(() => undefined)
    if (!body) return
    const one = { method, path, headers, body, text: body.toString() }
    received.push(one)
    answer(response, one)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    clear(): void {
      received.length = 0
      answer = accept
    },
    answerWith(next: Answer): void {
      answer = next
    },
    async stop(): Promise<void> {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

export function setUpWebhookReceiver(): WebhookReceiver {
  const receiver = {} as WebhookReceiver
  beforeAll(async () => {
    Object.assign(receiver, await startWebhookReceiver())
  })
  afterAll(() => receiver.stop())
  return receiver
}

/** The signature that the specification of Standard Webhooks gives for a message. */
export function signatureOf({ headers, text }: Received, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
