/** The calls of a webhook at Discord: https://docs.discord.com/developers/resources/webhook. */
import { z } from 'zod'
import type {
  Outgoing,
  OutgoingAnswer,
  OutgoingRequest,
} from '#server/platform/outgoing/outgoing.ts'

const TIMEOUT_MS = 15_000
/** A file of 10 MiB at 1.4 Mbit/s. */
const FILE_TIMEOUT_MS = 60_000
export const CHAT_LEASE_MS = 2 * FILE_TIMEOUT_MS + TIMEOUT_MS
const RETRY_AFTER_MAX_SECONDS = 3600

const postedSchema = z.object({ id: z.string().regex(/^\d+$/) })
const retrySchema = z.object({ retry_after: z.number() })

type Place = { outgoing: Outgoing; url: string; signal: AbortSignal }
type Message = { content: string; file?: { name: string; bytes: Buffer } | undefined }

export type Called = Pick<OutgoingAnswer, 'status' | 'body'> & { retryAfterMs: number | undefined }

/** @throws OutgoingError */
export function postMessage(place: Place, { content, file }: Message): Promise<Called> {
  const url = new URL(place.url)
  // Discord answers with the message instead of nothing.
  url.searchParams.set('wait', 'true')
  const text = payload(content)
  if (!file) return call(place, { url: url.href, method: 'POST', body: text, headers: JSON_TYPE })
  return postForm(place, { url: url.href, text, file })
}

async function postForm(
  place: Place,
  { url, text, file }: { url: string; text: string; file: NonNullable<Message['file']> },
): Promise<Called> {
  const form = new FormData()
  form.set('payload_json', text)
  const bytes = new Uint8Array(file.bytes)
  form.set('files[0]', new Blob([bytes], { type: 'video/mp4' }), file.name)
  const encoded = new Response(form)
  return call(place, {
    ...{ url, method: 'POST', timeoutMs: FILE_TIMEOUT_MS },
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: new Uint8Array(await encoded.arrayBuffer()),
  })
}

/** @throws OutgoingError */
export function editMessage(place: Place, id: string, content: string): Promise<Called> {
  const url = addressOf(place, id)
  return call(place, { url, method: 'PATCH', body: payload(content), headers: JSON_TYPE })
}

/** @throws OutgoingError */
export function deleteMessage(place: Place, id: string): Promise<Called> {
  return call(place, { url: addressOf(place, id), method: 'DELETE' })
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Nobody is notified of a name in a title. */
const payload = (content: string) => JSON.stringify({ content, allowed_mentions: { parse: [] } })

function addressOf({ url }: Place, id: string): string {
  const address = new URL(url)
  address.pathname = `${address.pathname.replace(/\/$/, '')}/messages/${id}`
  return address.href
}

async function call({ outgoing, signal }: Place, request: OutgoingRequest): Promise<Called> {
  const wish = { timeoutMs: TIMEOUT_MS, cutsAnswer: true, signal, ...request }
  const { status, body, headers } = await outgoing(wish)
  const asked = readJson(body, retrySchema)?.retry_after ?? Number(headers['retry-after'])
  const seconds = Number.isFinite(asked) ? Math.min(asked, RETRY_AFTER_MAX_SECONDS) : undefined
  return { status, body, retryAfterMs: seconds === undefined ? undefined : seconds * 1000 }
}

/** @returns null if the answer does not say it */
export function readMessageId({ body }: Pick<Called, 'body'>): string | null {
  return readJson(body, postedSchema)?.id ?? null
}

function readJson<Value>(body: Buffer, schema: z.ZodType<Value>): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(body.toString())).data
  } catch {
    return undefined
  }
}
