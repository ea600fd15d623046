import { startReading } from '../text-reader.ts'
import type { MasterPlaylist, MediaPlaylist } from './hls-playlist.ts'

// Sticky whole-line patterns leave nothing unread: players also split at carriage returns and
// accept unquoted attributes.
const MEDIA_HEAD =
  /#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:\d{1,6}\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-MAP:URI="([\w.-]{1,100})",BYTERANGE="(\d{1,15})@0"\n/y
const SEGMENT =
  /#EXTINF:(\d{1,6}\.\d{6}),\n#EXT-X-BYTERANGE:(\d{1,15})@(\d{1,15})\n([\w.-]{1,100})\n/y
const MEDIA_END = /#EXT-X-ENDLIST\n$/y
const MASTER_HEAD = /#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n/y
const SOUND =
  /#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="([^"\p{C}\p{Zl}\p{Zp}]{1,200})"(?:,LANGUAGE="([A-Za-z\d-]{2,35})")?,DEFAULT=(?:YES|NO),AUTOSELECT=(?:YES|NO),CHANNELS="(\d{1,2})",URI="([\w.-]{1,100})"\n/uy
const RENDITION =
  /#EXT-X-STREAM-INF:BANDWIDTH=(\d{1,12}),AVERAGE-BANDWIDTH=(\d{1,12}),CODECS="([\w.,]{1,200})",RESOLUTION=(\d{1,5})x(\d{1,5}),FRAME-RATE=(\d{1,4}\.\d{3})(?:,AUDIO="sound")?\n([\w.-]{1,100})\n/y
const END = /$/y

export function parseMediaPlaylist(text: string): MediaPlaylist | undefined {
  const read = startReading(text)
  const [, file = '', headBytes] = read(MEDIA_HEAD) ?? []
  const segments: MediaPlaylist['segments'] = []
  for (let found = read(SEGMENT); found; found = read(SEGMENT)) {
    const [, seconds, bytes, start, name] = found
    if (name !== file) return undefined
    segments.push({ start: Number(start), bytes: Number(bytes), seconds: Number(seconds) })
  }
  return read(MEDIA_END) ? { file, headBytes: Number(headBytes), segments } : undefined
}

export function parseMasterPlaylist(text: string): MasterPlaylist | undefined {
  const read = startReading(text)
  if (!read(MASTER_HEAD)) return undefined
  const [sounds, renditions]: [MasterPlaylist['sounds'], MasterPlaylist['renditions']] = [[], []]
  for (let found = read(SOUND); found; found = read(SOUND)) {
    const [, name = '', language = null, channels, playlist = ''] = found
    sounds.push({ name, language, channels: Number(channels), playlist })
  }
  for (let found = read(RENDITION); found; found = read(RENDITION)) {
    const [bandwidth, averageBandwidth, width, height, frameRate] = [1, 2, 4, 5, 6].map((group) =>
      Number(found?.[group]),
    ) as [number, number, number, number, number]
    const [codecs = '', playlist = ''] = [found[3], found[7]]
    renditions.push({ bandwidth, averageBandwidth, codecs, width, height, frameRate, playlist })
  }
  return read(END) ? { sounds, renditions } : undefined
}
