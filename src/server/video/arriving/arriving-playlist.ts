import { readCodecs } from '../processing/package/hls-playlist.ts'
import type { Head } from './arriving-streams.ts'

type Fragment = { bytes: number; seconds: number }
type Arriving = { head: Head; fragments: readonly Fragment[] }

/** A value for players until they have measured the bandwidth. */
const UNKNOWN_BANDWIDTH = 5_000_000
/** How often players ask for more. */
const TARGET_SECONDS = 2

export function writeArrivingMaster({ head, fragments }: Arriving): string {
  const bytes = fragments.reduce((sum, one) => sum + one.bytes, 0)
  const seconds = fragments.reduce((sum, one) => sum + one.seconds, 0)
  const bandwidth = seconds > 0 ? Math.ceil((bytes * 8) / seconds) : UNKNOWN_BANDWIDTH
  const attributes = [
    `BANDWIDTH=${bandwidth}`,
    `CODECS="${readCodecs(head.bytes)}"`,
    `RESOLUTION=${head.width}x${head.height}`,
  ]
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', `#EXT-X-STREAM-INF:${attributes.join(',')}`]
  return `${[...lines, 'media.m3u8'].join('\n')}\n`
}

/** Grows until the end is there (RFC 8216bis, `EVENT`). */
export function writeArrivingMedia({
  fragments,
  isWhole,
}: Pick<Arriving, 'fragments'> & { isWhole: boolean }): string {
  const target = Math.max(TARGET_SECONDS, ...fragments.map(({ seconds }) => Math.round(seconds)))
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:EVENT',
    '#EXT-X-START:TIME-OFFSET=0',
    '#EXT-X-MAP:URI="head.mp4"',
    ...fragments.flatMap(({ seconds }, index) => [
      `#EXTINF:${seconds.toFixed(6)},`,
      `${index}.m4s`,
    ]),
    ...(isWhole ? ['#EXT-X-ENDLIST'] : []),
  ]
  return `${lines.join('\n')}\n`
}
