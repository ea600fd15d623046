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
   * 'refused' must be refused when it is completed; 'any' may become a video too, or fail on the way, but
   * within bounds.
   */
  expected: 'refused' | 'any'
  /** In the short form too. */
  quick?: true
}
