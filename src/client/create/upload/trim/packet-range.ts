/** Pictures that a decoder may hold back to bring them into order; H.264 and HEVC allow 16. */
const REORDERED_MAX = 16

type Packet = { timestamp: number; type: 'key' | 'delta' }

/**
 * The packets of a stream up to a time, in their order: those shown later are in it only where an earlier
 * picture that follows them leans on them.
 */
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
