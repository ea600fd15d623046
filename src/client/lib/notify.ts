export type Toast = {
  id: number
  title: string
  message: string | undefined
  tone: 'success' | 'error'
}

export const TOAST_MS = 5000

let current: Toast | undefined
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a toast for five seconds; one that is still there makes room. */
export function notify(toast: { title: string; message?: string; tone?: Toast['tone'] }): void {
  lastId += 1
  const { title, message, tone = 'success' } = toast
  change({ id: lastId, title, message, tone })
}

/** Takes a toast away, unless a newer one has taken its place. */
export function dismissToast(id: number): void {
  if (current?.id === id) change(undefined)
}

export function subscribeToToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentToast(): Toast | undefined {
  return current
}

function change(toast: Toast | undefined): void {
  current = toast
  for (const listener of listeners) listener()
}
