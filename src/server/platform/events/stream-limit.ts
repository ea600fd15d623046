import { addTo, removeFrom } from './sets-by-key.ts'

/** The limit per network, which a household or a LAN party may share. */
export const VISITOR_STREAMS_MAX = 40
const MEMBER_STREAMS_MAX = 10

/** Limits the open streams of each member, and those of visitors per network. */
export function createStreamLimit() {
  const open = new Map<string, Set<AbortController>>()
  return {
    /**
     * Returns false at the limit. Ending older streams instead would make their pages reconnect.
     */
    hasRoomFor: (network: string): boolean => (open.get(network)?.size ?? 0) < VISITOR_STREAMS_MAX,

    /**
     * When a member exceeds 10 streams, the oldest ends.
     * @param input.key of the viewer; a visitor's differs from that of the network
     * @returns a signal that aborts when the stream ends
     */
    begin(input: { key: string; network: string; signal: AbortSignal }): AbortSignal {
      const { key, network, signal } = input
      const stream = new AbortController()
      const ended = AbortSignal.any([signal, stream.signal])
      if (ended.aborted) return ended
      const streams = addTo(open, network, stream)
      ended.addEventListener('abort', () => removeFrom(open, network, stream), { once: true })
      const [oldest] = streams
      if (network === key && streams.size > MEMBER_STREAMS_MAX) {
        // The caller adds its own listeners first.
        queueMicrotask(() => oldest?.abort())
      }
      return ended
    },
  }
}
