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
/** The server sends a reaction within 150 ms after it has answered. */
const OWN_MS = 2000

type Own = { videoId: number; kind: ReactionKind; second: number }
type Note = Own & { endsAt: number }

let notes: readonly Note[] = []

const isSame = (one: Own, other: Own) =>
  one.videoId === other.videoId && one.kind === other.kind && one.second === other.second

/** Remembers a reaction that is already shown, because the server sends it to this page, too. */
export function noteOwnReaction(own: Own): void {
  notes = [...notes, { ...own, endsAt: Number.POSITIVE_INFINITY }].slice(-OWN_MAX)
}

/** Forgets a remembered reaction soon, because the server has stored it. */
export function endOwnReaction(own: Own, now = performance.now()): void {
  notes = notes.map((note) => (isSame(note, own) ? { ...note, endsAt: now + OWN_MS } : note))
}

/**
 * Forgets a remembered reaction.
 * @returns whether it was the viewer's own
 */
export function takeOwnReaction(own: Own, now = performance.now()): boolean {
  notes = notes.filter(({ endsAt }) => endsAt > now)
  const taken = notes.find((note) => isSame(note, own))
  notes = notes.filter((note) => note !== taken)
  return taken !== undefined
}
