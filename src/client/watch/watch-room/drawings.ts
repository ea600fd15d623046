import { createStore } from '#client/platform/store.ts'
import type { Drawing } from '#shared/schemas/watch-room.schemas.ts'

const SHOWN_MAX = 40

/** What is drawn on the picture of the open room. */
export const drawings = createStore<{ shown: readonly Drawing[] }>({ shown: [] })

/** One's own comes back from the room. */
export function showDrawing(drawing: Drawing): void {
  const { shown } = drawings.get()
  if (shown.some(({ id }) => id === drawing.id)) return
  drawings.set({ shown: [...shown, drawing].slice(-SHOWN_MAX) })
}

export function removeDrawings(ids: ReadonlySet<number>): void {
  const { shown } = drawings.get()
  if (shown.some(({ id }) => ids.has(id))) {
    drawings.set({ shown: shown.filter(({ id }) => !ids.has(id)) })
  }
}
