import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

type MasterEntry = { playlist: string; attributes: Record<string, string> }

type MediaPlaylist = {
  file: string
  targetSeconds: number
  head: { start: number; bytes: number }
  segments: { start: number; bytes: number; seconds: number }[]
}

export function parseMaster(text: string): MasterEntry[] {
  const entries: MasterEntry[] = []
  const lines = text.trimEnd().split('\n')
  for (const [index, line] of lines.entries()) {
    const list = /^#EXT-X-STREAM-INF:(.*)$/.exec(line)?.[1]
    if (list === undefined) continue
    entries.push({ playlist: lines[index + 1] ?? '', attributes: readAttributes(list) })
  }
  return entries
}

/** The attributes of the sound tracks that a master playlist offers, in their order. */
export function parseSounds(text: string): Record<string, string>[] {
  return [...text.matchAll(/^#EXT-X-MEDIA:(.*)$/gm)].map(([, list = '']) => readAttributes(list))
}

function readAttributes(list: string): Record<string, string> {
  const pairs = [...list.matchAll(/([A-Z-]+)=("[^"]*"|[^,]*)/g)]
  return Object.fromEntries(
    pairs.map(([, name = '', value = '']) => [name, value.replaceAll('"', '')]),
  )
}

export function parseMedia(text: string): MediaPlaylist {
  const map = /#EXT-X-MAP:URI="([^"]+)",BYTERANGE="(\d+)@(\d+)"/.exec(text)
  const targetSeconds = Number(/#EXT-X-TARGETDURATION:(\d+)/.exec(text)?.[1])
  const found = text.matchAll(/#EXTINF:([\d.]+),\n#EXT-X-BYTERANGE:(\d+)@(\d+)\n(.+)/g)
  return {
    file: map?.[1] ?? '',
    targetSeconds,
    head: { start: Number(map?.[3]), bytes: Number(map?.[2]) },
    segments: [...found].map(([, seconds, bytes, start]) => ({
      start: Number(start),
      bytes: Number(bytes),
      seconds: Number(seconds),
    })),
  }
}

/** What is wrong with a playlist's byte ranges, a sentence each: they must be the whole file, in order. */
export async function findBrokenRanges(folder: string, playlist: MediaPlaylist): Promise<string[]> {
  const path = join(folder, playlist.file)
  const bytes = await readFile(path)
  const type = (at: number) => bytes.toString('latin1', at + 4, at + 8)
  const problems: string[] = []
  let end = playlist.head.start + playlist.head.bytes
  if (type(0) !== 'ftyp' || !bytes.subarray(0, end).includes('moov')) problems.push('no head')
  for (const [index, segment] of playlist.segments.entries()) {
    if (segment.start !== end) problems.push(`segment ${index} does not follow the one before`)
    if (type(segment.start) !== 'moof') problems.push(`segment ${index} is no fragment`)
    if (Math.round(segment.seconds) > playlist.targetSeconds) problems.push(`${index} is too long`)
    end = segment.start + segment.bytes
  }
  if (end !== (await stat(path)).size) problems.push('the ranges do not end where the file ends')
  return problems
}
