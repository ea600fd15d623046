/** Reorder limit of H.264 and HEVC. */
const REORDERED_MAX = 16

type Packet = { timestamp: number; type: 'key' | 'delta' }

/** Packets up to a time in decoding order; later ones only where earlier pictures need them. */
export async function* packetsUntil<P extends Packet>(
  packets: AsyncIterable<P>,
  toSeconds: number,
): AsyncGenerator<P> {
  let held: P[] = []
  for await (const packet of packets) {
    if (packet.timestamp < toSeconds) {
      yield* held
      held = []
      yield packet
    } else {
      held.push(packet)
      if (held.length > REORDERED_MAX) return
    }
  }
}
