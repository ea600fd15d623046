import type { ReactionKind } from '#shared/reactions.ts'

type Listener = (kind: ReactionKind, second: number) => void

const listeners = new Set<Listener>()

/**
 * Listens for reactions of the viewer and of others who watch the same video now.
 * @returns a function that stops listening
 */
export function onReaction(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @param second in the video, also on the page of a clip */
export function showReaction(kind: ReactionKind, second: number): void {
  for (const listener of listeners) listener(kind, second)
}

const OWN_MAX = 40
const own: string[] = []

/** Remembers a reaction that is already shown, because the server sends it to this page, too. */
export function noteOwnReaction(kind: ReactionKind, second: number): void {
  own.push(`${kind} ${second}`)
  if (own.length > OWN_MAX) own.shift()
}

/**
 * Forgets a remembered reaction.
 * @returns whether it was the viewer's own
 */
export function takeOwnReaction(kind: ReactionKind, second: number): boolean {
  const index = own.indexOf(`${kind} ${second}`)
  if (index < 0) return false
  own.splice(index, 1)
  return true
}
