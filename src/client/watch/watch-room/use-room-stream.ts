import { useEffect } from 'react'
import { errorStatus } from '#client/platform/error-message.ts'
import { useReconnect } from '#client/platform/live-stream.ts'
import { useConnectionLost } from '#client/platform/use-connection-lost.ts'
import { trpc } from '#client/trpc.ts'
import type { Room } from './room.ts'
import { showRoomReaction } from './room-reactions.ts'

/** Spreads requests, because a change of the queue reaches all pages of the room at once. */
const SPREAD_MS_PER_PERSON = 10
const REFUSED = [401, 403, 404, 409, 429]

/**
 * Follows the room, also in a hidden tab, where it continues to play.
 * @returns the error with which the server refuses the room
 */
export function useRoomStream(room: Room, viewerId: number | undefined): unknown {
  const utils = trpc.useUtils()
  const { token, store } = room
  useEffect(() => room.clock.start(), [room])
  const { status, reset, error } = trpc.live.onRoom.useSubscription(
    { token },
    {
      enabled: !useConnectionLost(),
      onData({ playback, people, guests, messages, reactions, drawings, changed }) {
        if (people) {
          const own = people.find(({ id }) => id === viewerId)
          store.set({ people, ...(own && { role: own.role }) })
        }
        if (guests !== undefined) store.set({ guests })
        if (playback) room.take(playback)
        if (messages) room.addMessages(messages)
        for (const kind of reactions ?? []) showRoomReaction(kind)
        for (const drawing of drawings ?? []) room.showDrawing(drawing)
        if (!changed) return
        const laterMs = Math.random() * store.get().people.length * SPREAD_MS_PER_PERSON
        setTimeout(() => void utils.watchRoom.get.invalidate({ token }), laterMs)
      },
    },
  )
  const refusal = status === 'error' && REFUSED.includes(errorStatus(error) ?? 0)
  useReconnect(refusal ? 'idle' : status, reset)
  return refusal ? error : undefined
}
