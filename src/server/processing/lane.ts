import type { Packet } from 'node-av/lib'

/** One stream's way from the source into the output. */
export type Lane = {
  /** Takes a packet of the source, whose timestamps are the file's own. */
  push: (packet: Packet) => void
  /** Writes what is still held back. */
  finish: () => void
}
