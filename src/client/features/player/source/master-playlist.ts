import type { AudioTrack, Quality } from './source.ts'

export type Variant = Quality & { url: string }
export type MasterPlaylist = { variants: Variant[]; audioTracks: AudioTrack[] }

const ATTRIBUTE = /([A-Z0-9-]+)=("[^"]*"|[^,]*)/g

/** Reads the renditions and audio tracks of an HLS master playlist, the tallest rendition first. */
export function parseMasterPlaylist(text: string, baseUrl: string): MasterPlaylist {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const variants = lines.flatMap((line, index) => {
    const address = lines.slice(index + 1).find((next) => next !== '' && !next.startsWith('#'))
    if (!line.startsWith('#EXT-X-STREAM-INF:') || !address) return []
    const { RESOLUTION = '', ...attributes } = readAttributes(line)
    const height = Number(RESOLUTION.split('x')[1])
    if (!height) return []
    return [
      {
        url: new URL(address, baseUrl).href,
        height,
        frameRate: Number(attributes['FRAME-RATE']) || null,
        bitRate: Number(attributes.BANDWIDTH) || null,
      },
    ]
  })
  const audioNames = lines
    .filter((line) => line.startsWith('#EXT-X-MEDIA:'))
    .map(readAttributes)
    .filter(({ TYPE }) => TYPE === 'AUDIO')
    .map(({ NAME, LANGUAGE }) => NAME ?? LANGUAGE ?? '')
  return {
    variants: variants.sort((a, b) => b.height - a.height),
    audioTracks: [...new Set(audioNames)].map((label, id) => ({ id, label })),
  }
}

function readAttributes(line: string): Record<string, string> {
  const list = line.slice(line.indexOf(':') + 1)
  const pairs = [...list.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [
    name,
    value.replace(/^"|"$/g, ''),
  ])
  return Object.fromEntries(pairs)
}
