/** A byte range of a file: `length` bytes from `start` on. */
export type ByteRange = { start: number; length: number }

/** A piece of a rendition that begins with a key frame; times in seconds of the video. */
export type Segment = ByteRange & { startSeconds: number; endSeconds: number }

/** One rendition: a single file, its init segment, and where its media segments lie. */
export type MediaPlaylist = {
  fileUrl: string
  init: ByteRange
  segments: readonly Segment[]
  durationSeconds: number
}

/**
 * Reads an HLS media playlist as this site writes them: one fragmented MP4 with byte ranges.
 * @throws when it is anything else
 */
export function parseMediaPlaylist(text: string, baseUrl: string): MediaPlaylist {
  const map = /^#EXT-X-MAP:URI="([^"]+)",BYTERANGE="(\d+)@(\d+)"/m.exec(text)
  if (!map?.[1]) throw new Error('The playlist names no init segment.')
  const segments: Segment[] = []
  const entries = text.matchAll(/^#EXTINF:([\d.]+),.*\r?\n#EXT-X-BYTERANGE:(\d+)@(\d+)/gm)
  let endSeconds = 0
  for (const [, seconds, length, start] of entries) {
    const startSeconds = endSeconds
    endSeconds += Number(seconds)
    segments.push({ start: Number(start), length: Number(length), startSeconds, endSeconds })
  }
  if (segments.length === 0) throw new Error('The playlist has no segments.')
  return {
    fileUrl: new URL(map[1], baseUrl).href,
    init: { start: Number(map[3]), length: Number(map[2]) },
    segments,
    durationSeconds: endSeconds,
  }
}

/** The segment that plays at a time; the last one for any time after it. */
export function segmentAt({ segments }: MediaPlaylist, seconds: number): Segment {
  let [low, high] = [0, segments.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.endSeconds ?? 0) > seconds) high = middle
    else low = middle + 1
  }
  const found = segments[low]
  if (!found) throw new Error('The playlist has no segments.')
  return found
}
