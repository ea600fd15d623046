import type { Deliver } from './encoder.ts'

/** Hands each packet to all of them, to each a packet of its own over the same bytes. */
export function deliverToAll(takers: Deliver[]): Deliver {
  return (packet, base) => {
    for (const taker of takers) {
      const copy = packet.clone()
      if (!copy) throw new Error('A packet could not be kept.')
      taker(copy, base)
      copy.free()
    }
  }
}
