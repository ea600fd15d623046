/** First, middle and last. @returns ascending indices without duplicates */
export function sampledChunks(chunkCount: number): number[] {
  return [...new Set([0, Math.floor((chunkCount - 1) / 2), chunkCount - 1])]
}
