import { createStore } from '#client/platform/store.ts'
import type { trpcClient } from '#client/trpc.ts'
import type { RoomMessage, RoomPerson } from '#shared/schemas/watch-room.schemas.ts'
import { ROOM_MESSAGES_MAX, type RoomPlayback, type RoomRole } from '#shared/watch-rooms.ts'
import { createServerClock } from './server-clock.ts'

/** Dragging along the seek bar gives many commands, of which the last counts. */
const SEND_EVERY_MS = 350

type Calls = (typeof trpcClient)['watchRoom']

export type RoomState = {
  /** What the room plays, with the viewer's own last command. */
  playback: RoomPlayback | undefined
  /** Null for guests. */
  role: RoomRole | null
  people: readonly RoomPerson[]
  guests: number
  /** Oldest first. */
  messages: readonly RoomMessage[]
  /** The viewer's own player has left the group. */
  isAway: boolean
}

/** What a page knows of its room, and what it tells it. */
export type Room = ReturnType<typeof createRoom>

export function createRoom({ token, calls }: { token: string; calls: Calls }) {
  const store = createStore<RoomState>({
    playback: undefined,
    role: null,
    people: [],
    guests: 0,
    messages: [],
    isAway: false,
  })
  const clock = createServerClock(() => calls.clock.query())
  /** The newest of the server, while a command is under way. */
  let newest: RoomPlayback | undefined
  let wish: RoomPlayback | undefined
  let isSending = false
  let refused: (error: unknown) => void = () => {}

  function take(playback: RoomPlayback): void {
    if (newest && newest.version > playback.version) return
    newest = playback
    if (!isSending) store.set({ playback })
  }

  async function send(): Promise<void> {
    isSending = true
    while (wish?.itemId != null) {
      const { itemId, position, rate, isPaused, at } = wish
      wish = undefined
      const wait = new Promise((resolve) => setTimeout(resolve, SEND_EVERY_MS))
      const input = { token, itemId, position, rate: rate as 1, isPaused, at }
      await calls.control.mutate(input).then(take, (error) => refused(error))
      await wait
    }
    isSending = false
    if (newest) store.set({ playback: newest })
  }

  return {
    token,
    store,
    clock,
    take,

    /** Shows the change at once and tells the room. */
    command(change: Pick<RoomPlayback, 'position'> & Partial<RoomPlayback>): void {
      const { playback } = store.get()
      if (!playback) return
      wish = { ...playback, ...change, at: clock.now() }
      if (!isSending) void send()
      store.set({ playback: wish })
    },

    /** @param act is told of commands that the server refuses */
    onRefused(act: (error: unknown) => void): void {
      refused = act
    },

    /** Several pages may say so; the server decides. */
    async finish(itemId: number): Promise<void> {
      take(await calls.finish.mutate({ token, itemId }))
    },

    addMessages(added: readonly RoomMessage[]): void {
      const { messages } = store.get()
      const all = new Map([...messages, ...added].map((one) => [one.id, one]))
      const sorted = [...all.values()].sort((one, other) => one.id - other.id)
      store.set({ messages: sorted.slice(-ROOM_MESSAGES_MAX) })
    },
  }
}

export const maySteer = ({ role }: Pick<RoomState, 'role'>): boolean =>
  role === 'host' || role === 'steers'
