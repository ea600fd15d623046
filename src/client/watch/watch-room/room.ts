import { createStore } from '#client/platform/store.ts'
import type { trpcClient } from '#client/trpc.ts'
import type { Drawing, RoomMessage, RoomPerson } from '#shared/schemas/watch-room.schemas.ts'
import { ROOM_MESSAGES_MAX, type RoomPlayback, type RoomRole } from '#shared/watch-rooms.ts'
import { createServerClock } from './server-clock.ts'

/** Dragging along the seek bar gives many commands, of which the last counts. */
const SEND_EVERY_MS = 350
const DRAWINGS_MAX = 40

type Calls = (typeof trpcClient)['watchRoom']

export type RoomState = {
  /** The playback of the room, changed by commands of the viewer that are not confirmed yet. */
  playback: RoomPlayback | undefined
  /** Null for guests. */
  role: RoomRole | null
  people: readonly RoomPerson[]
  guests: number
  /** Oldest first. */
  messages: readonly RoomMessage[]
  drawings: readonly Drawing[]
  /** The viewer's own player has left the group. */
  isAway: boolean
}

/** The state of a room on its page, and the commands that the page sends. */
export type Room = ReturnType<typeof createRoom>

export function createRoom({ token, calls }: { token: string; calls: Calls }) {
  const store = createStore<RoomState>({
    playback: undefined,
    role: null,
    people: [],
    guests: 0,
    messages: [],
    drawings: [],
    isAway: false,
  })
  const clock = createServerClock(() => calls.clock.query())
  /** The newest playback from the server. It is not shown while a command is being sent. */
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

    /** Reports the end of an item. Several pages may report it, and the server decides. */
    async finish(itemId: number): Promise<void> {
      take(await calls.finish.mutate({ token, itemId }))
    },

    /** A drawing of the viewer is shown at once, and ignored when the room sends it back. */
    showDrawing(drawing: Drawing): void {
      const { drawings } = store.get()
      if (drawings.some(({ id }) => id === drawing.id)) return
      store.set({ drawings: [...drawings, drawing].slice(-DRAWINGS_MAX) })
    },

    removeDrawings(ids: ReadonlySet<number>): void {
      const { drawings } = store.get()
      if (drawings.some(({ id }) => ids.has(id))) {
        store.set({ drawings: drawings.filter(({ id }) => !ids.has(id)) })
      }
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
