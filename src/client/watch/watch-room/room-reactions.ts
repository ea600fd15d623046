import type { ReactionKind } from '#shared/reactions.ts'
import { showReaction } from '../reaction/reaction-bus.ts'

const OWN_MS = 3000

/** Reactions of the viewer, which are shown at once and come back from the room. */
let own: readonly { kind: ReactionKind; endsAt: number }[] = []

export function showOwnReaction(kind: ReactionKind, now = performance.now()): void {
  own = [...own, { kind, endsAt: now + OWN_MS }]
  showReaction(kind, 0)
}

export function showRoomReaction(kind: ReactionKind, now = performance.now()): void {
  own = own.filter(({ endsAt }) => endsAt > now)
  const taken = own.find((one) => one.kind === kind)
  if (taken) own = own.filter((one) => one !== taken)
  else showReaction(kind, 0)
}
