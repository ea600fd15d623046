/**
 * The chunks whose hashes stand for a whole file when it is compared with what the site has: the first, the middle and
 * the last one.
 * @returns their indexes, ascending, each once
 */
export function sampledChunks(chunkCount: number): number[] {
  return [...new Set([0, Math.floor((chunkCount - 1) / 2), chunkCount - 1])]
}
