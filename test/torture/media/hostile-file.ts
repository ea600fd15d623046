/** What a hostile file may point at: nothing of it may be asked for, opened or shown. */
export type Lures = {
  /** Of a server on this machine that counts who comes, without a slash at the end. */
  canary: string
  /** A file beside the input, whose bytes hold `secret`. */
  neighbour: string
  secret: string
}

/** Text that is in the hostile part of a file and may be in nothing that is served. */
export const MARKER = 'hostile-marker-4711'

export type HostileFile = {
  name: string
  bytes: Buffer
  /**
   * The status with which it must be refused, wherever it is sent: 415 for what is no picture by its bytes, 422
   * for what is damaged or no video, 413 for what is too large. 'any' may be taken too and fail on the way, but
   * within bounds; when it is refused, it is a 422.
   */
  expected: 413 | 415 | 422 | 'any'
  /** Also part of the short form. */
  quick?: true
}

type Make = (name: string, bytes: Buffer, quick?: true) => HostileFile

export const any: Make = makeExpecting('any')

export function refusedWith(status: 413 | 415 | 422): Make {
  return makeExpecting(status)
}

function makeExpecting(expected: HostileFile['expected']): Make {
  return (name, bytes, quick) => ({ name, bytes, expected, ...(quick && { quick }) })
}
