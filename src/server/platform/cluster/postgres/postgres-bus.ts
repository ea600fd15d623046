import { type Message, type MessageBus, messageSchema } from '../message-bus.ts'
import type { LastingSession } from './postgres-session.ts'

export const CHANNEL = 'clutch'
/** Payloads have up to 8000 bytes. */
const USERS_PER_MESSAGE = 500

/** Senders ignore their own; without `from` it is for all. */
type Envelope = Message & { from?: string }

/**
 * NOTIFY and LISTEN.
 * @returns also `receive`, for payloads
 */
export function createPostgresBus(
  session: LastingSession,
  nodeId: string,
): MessageBus & { receive: (payload: string | undefined) => void } {
  const listeners = new Set<(message: Message) => void>()
  /** For calls of `sync` during `running`, which may have begun before their messages. */
  let next: Promise<boolean> | undefined
  let running: Promise<unknown> = Promise.resolve()

  return {
    receive(payload = '') {
      const sent = parseEnvelope(payload)
      if (!sent) {
        process.emitWarning(`Unknown message on the channel ${CHANNEL}: ${payload}`)
      } else if (sent.from !== nodeId) for (const listener of listeners) listener(sent.message)
    },

    async publish(message) {
      const { query } = await session.require()
      for (const part of divide(message)) {
        const sent: Envelope = part.topic === 'changes' ? part : { ...part, from: nodeId }
        await query('SELECT pg_notify($1, $2)', [CHANNEL, JSON.stringify(sent)])
      }
    },

    onMessage(listener) {
      session.open()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    onReconnect: session.onReconnect,
    isUp: () => session.current() !== undefined,

    sync() {
      next ??= running.then(async () => {
        next = undefined
        const asked = session.current()
        const answer = asked?.query('SELECT 1').then(
          () => asked === session.current(),
          () => false,
        )
        running = answer ?? Promise.resolve()
        return answer ?? false
      })
      return next
    },
  }
}

/** @returns undefined for other versions */
function parseEnvelope(payload: string): { from: unknown; message: Message } | undefined {
  try {
    const sent = JSON.parse(payload)
    return { from: sent.from, message: messageSchema.parse(sent) }
  } catch {
    return undefined
  }
}

function divide(message: Message): Message[] {
  if (message.topic !== 'live') return [message]
  const { userIds, ...rest } = message
  const count = Math.ceil(userIds.length / USERS_PER_MESSAGE)
  return Array.from({ length: count }, (_, part) => ({
    ...rest,
    userIds: userIds.slice(part * USERS_PER_MESSAGE, (part + 1) * USERS_PER_MESSAGE),
  }))
}
