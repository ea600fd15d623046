export type Place = { seconds: number; isPlaying: boolean }

let left: (Place & { videoId: number }) | undefined

/** The finished video goes on where what had arrived was watched. */
export function handOver(place: Place & { videoId: number }): void {
  left = place
}

/** Once. */
export function takeOver(videoId: number): Place | undefined {
  const place = left?.videoId === videoId ? left : undefined
  left = undefined
  return place
}
