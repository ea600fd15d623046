import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Names of files with their bytes. */
type Sizes = ReadonlyMap<string, number>

const LINE_MAX = 1000
/** Those that `hls-playlist.ts` writes: others may have a player fetch files from anywhere. */
const TAGS = new Set([
  '#EXTM3U',
  '#EXTINF',
  '#EXT-X-VERSION',
  '#EXT-X-TARGETDURATION',
  '#EXT-X-MEDIA-SEQUENCE',
  '#EXT-X-PLAYLIST-TYPE',
  '#EXT-X-INDEPENDENT-SEGMENTS',
  '#EXT-X-MAP',
  '#EXT-X-BYTERANGE',
  '#EXT-X-ENDLIST',
  '#EXT-X-STREAM-INF',
  '#EXT-X-MEDIA',
])

/** What is wrong with a playlist that a worker made; undefined for nothing. */
export async function playlistProblem(
  folder: string,
  { name, sizes, seconds }: { name: string; sizes: Sizes; seconds: number },
): Promise<string | undefined> {
  const lines = (await readFile(join(folder, name), 'utf8')).split('\n')
  if (lines[0] !== '#EXTM3U') return `${name} is no playlist`
  let total = 0
  let range: [number, number] | undefined
  for (const line of lines.filter(Boolean)) {
    const named = [...line.matchAll(/URI="([^"]*)"/g)].map(([, uri = '']) => uri)
    const uris = line.startsWith('#') ? named : [line]
    const found = /BYTERANGE[:=]"?(\d+)@(\d+)/.exec(line)
    if (found) range = [Number(found[1]), Number(found[2])]
    total += Number(/^#EXTINF:([\d.]+),$/.exec(line)?.[1] ?? 0)
    const tag = /^#[^:]*/.exec(line)?.[0]
    if (line.length > LINE_MAX || (tag !== undefined && !TAGS.has(tag))) {
      return `${name} has lines that are of no playlist`
    }
    for (const uri of uris) {
      const bytes = sizes.get(uri)
      if (bytes === undefined) return `${name} names a file that was not sent`
      if (range && range[0] + range[1] > bytes) return `${name} names parts that ${uri} has not`
    }
    if (uris.length > 0) range = undefined
  }
  // The one of all steps has no pieces of its own.
  const isMaster = name === 'hls.m3u8'
  if (!isMaster && Math.abs(total - seconds) > 1) return `${name} lasts ${total.toFixed(1)} seconds`
  return undefined
}

/** What is wrong with the text of a storyboard. */
export async function storyboardProblem(
  folder: string,
  { name, sizes }: { name: string; sizes: Sizes },
): Promise<string | undefined> {
  const lines = (await readFile(join(folder, name), 'utf8')).split('\n')
  if (lines[0] !== 'WEBVTT') return `${name} is no WebVTT`
  const isKnown = (line: string) => {
    if (/^[\d:.]+ --> [\d:.]+$/.test(line)) return true
    const picture = /^(storyboard-\d+\.jpg)#xywh=\d+,\d+,\d+,\d+$/.exec(line)?.[1]
    return picture !== undefined && sizes.has(picture)
  }
  const wrong = lines.slice(1).find((line) => line !== '' && !isKnown(line))
  return wrong === undefined ? undefined : `${name} has lines that are of no storyboard`
}

/** What is wrong with a JPEG or WebP, by its first and last bytes. */
export async function pictureProblem(
  folder: string,
  { name, bytes }: { name: string; bytes: number },
): Promise<string | undefined> {
  const file = await open(join(folder, name), 'r')
  try {
    const head = Buffer.alloc(12)
    const tail = Buffer.alloc(2)
    await file.read(head, 0, 12, 0)
    await file.read(tail, 0, 2, Math.max(0, bytes - 2))
    const isJpeg = head.readUInt16BE(0) === 0xffd8 && tail.readUInt16BE(0) === 0xffd9
    const isWebp =
      head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'
    const isRight = name.endsWith('.webp') ? isWebp : isJpeg
    return isRight ? undefined : `${name} is no picture`
  } finally {
    await file.close()
  }
}
