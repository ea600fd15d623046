import { afterAll, beforeAll } from 'vitest'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

export type ChatMessage = { content: string; file: Buffer | null; mentions: unknown }

export type ChatServer = Awaited<ReturnType<typeof startChatServer>>

/** Answers the calls of webhooks as Discord does, and keeps the messages by id. */
export async function startChatServer() {
  const receiver = await startWebhookReceiver()
  const messages = new Map<string, ChatMessage>()
  const path = '/api/webhooks/111111111111111111/a-token'
  let last = 900_000_000_000_000_000n

  const answer: Parameters<WebhookReceiver['answerWith']>[0] = async (response, received) => {
    const { method, headers, body } = received
    const url = new URL(received.path, 'http://discord')
    const send = (status: number, json?: object) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(json && JSON.stringify(json))
    const type = headers['content-type'] ?? ''
    if (method === 'POST' && url.pathname === path) {
      const isForm = type.startsWith('multipart/form-data')
      const form = isForm
        ? await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
        : undefined
      const { content, allowed_mentions: mentions } = JSON.parse(
        String(form?.get('payload_json') ?? received.text),
      )
      const file = form?.get('files[0]')
      const bytes = file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : null
      const id = String(++last)
      messages.set(id, { content, mentions, file: bytes })
      if (url.searchParams.get('wait') !== 'true') return void send(204)
      return void send(200, { id, content })
    }
    const [, id = ''] = /\/messages\/(\d+)$/.exec(url.pathname) ?? []
    const message = url.pathname === `${path}/messages/${id}` ? messages.get(id) : undefined
    if (!message) return void send(404, { message: 'Unknown Message', code: 10_008 })
    if (method === 'DELETE') {
      messages.delete(id)
      return void response.writeHead(204).end()
    }
    message.content = JSON.parse(received.text).content
    return void send(200, { id, content: message.content })
  }
  receiver.answerWith(answer)

  return {
    ...receiver,
    messages,
    url: `http://127.0.0.1:${receiver.port}${path}`,
    answer,
    contents: () => [...messages.values()].map(({ content }) => content),
    clear(): void {
      receiver.clear()
      messages.clear()
      receiver.answerWith(answer)
    },
  }
}

export function setUpChatServer(): ChatServer {
  const server = {} as ChatServer
  beforeAll(async () => {
    Object.assign(server, await startChatServer())
  })
  afterAll(() => server.stop())
  return server
}
