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
