import type { Quality } from './source.ts'

/** `url` is its media playlist. */
export type Variant = Quality & {
  url: string
  /** RFC 6381, such as `avc1.640028,mp4a.40.2`. */
  codecs: string
}

const ATTRIBUTE = /([A-Z0-9-]+)=("[^"]*"|[^,]*)/g

/** Largest first. */
export function parseMasterPlaylist(text: string, baseUrl: string): Variant[] {
  const rows = text.split(/\r?\n/).map((line) => line.trim())
  const variants = rows.flatMap((row, index) => {
    const address = rows.slice(index + 1).find((next) => next !== '' && !next.startsWith('#'))
    if (!row.startsWith('#EXT-X-STREAM-INF:') || !address) return []
    const { RESOLUTION = '', CODECS = '', ...attributes } = readAttributes(row)
    const lines = Math.min(...RESOLUTION.split('x').map(Number))
    if (!(lines > 0)) return []
    return [
      {
        url: new URL(address, baseUrl).href,
        lines,
        frameRate: Number(attributes['FRAME-RATE']) || null,
        bitRate: Number(attributes.BANDWIDTH) || null,
        codecs: CODECS,
      },
    ]
  })
  return variants.sort((a, b) => b.lines - a.lines)
}

function readAttributes(line: string): Record<string, string> {
  const list = line.slice(line.indexOf(':') + 1)
  const pairs = [...list.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [
    name,
    value.replace(/^"|"$/g, ''),
  ])
  return Object.fromEntries(pairs)
}
