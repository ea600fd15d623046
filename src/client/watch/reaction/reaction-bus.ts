import type { ReactionKind } from '#shared/reactions.ts'

type Listener = (kind: ReactionKind) => void

const listeners = new Set<Listener>()

/** Those of now: the viewer's own, and others' who watch the same. @returns ends it */
export function onReaction(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function showReaction(kind: ReactionKind): void {
  for (const listener of listeners) listener(kind)
}

const OWN_MAX = 40
const own: string[] = []

/** Shown already: the server tells it to this page, too. */
export function noteOwnReaction(kind: ReactionKind, second: number): void {
  own.push(`${kind} ${second}`)
  if (own.length > OWN_MAX) own.shift()
}

/** @returns whether it was the viewer's own */
export function takeOwnReaction(kind: ReactionKind, second: number): boolean {
  const index = own.indexOf(`${kind} ${second}`)
  if (index < 0) return false
  own.splice(index, 1)
  return true
}
