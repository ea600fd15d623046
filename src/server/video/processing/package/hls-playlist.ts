import { languageTag } from '#shared/sound-tracks.ts'
import type { FragmentedMp4 } from '../source/mp4-boxes.ts'

type HlsSegment = { start: number; bytes: number; seconds: number }

export type MediaPlaylist = {
  file: string
  headBytes: number
  segments: HlsSegment[]
}

type RenditionFacts = {
  width: number
  height: number
  /** Bits per second. */
  bandwidth: number
  averageBandwidth: number
  /** Such as `avc1.640028,mp4a.40.2`. */
  codecs: string
  frameRate: number
  playlist: string
}

type SoundTrack = {
  name: string
  /** ISO 639. */
  language: string | null
  channels: number
  playlist: string
}

/** Renditions include their sound. */
export type MasterPlaylist = {
  renditions: RenditionFacts[]
  /** Default first; empty if in the renditions. */
  sounds: SoundTrack[]
}

/**
 * @param timesSeconds starts of segments, and the end of the last
 * @throws when the numbers differ. See docs/decisions/0011-streams.md.
 */
export function listSegments(file: FragmentedMp4, timesSeconds: readonly number[]): HlsSegment[] {
  if (file.fragments.length !== timesSeconds.length - 1) {
    throw new Error(
      `There are ${file.fragments.length} fragments for ${timesSeconds.length - 1} segments.`,
    )
  }
  return file.fragments.map((fragment, index) => ({
    ...fragment,
    seconds: (timesSeconds[index + 1] ?? 0) - (timesSeconds[index] ?? 0),
  }))
}

/** RFC 8216bis. */
export function writeMediaPlaylist({ file, headBytes, segments }: MediaPlaylist): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${targetSeconds(segments)}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${file}",BYTERANGE="${headBytes}@0"`,
    ...segments.flatMap(({ start, bytes, seconds }) => [
      `#EXTINF:${seconds.toFixed(6)},`,
      `#EXT-X-BYTERANGE:${bytes}@${start}`,
      file,
    ]),
    '#EXT-X-ENDLIST',
  ]
  return `${lines.join('\n')}\n`
}

/** Peak bits per second. */
export type SoundFacts = SoundTrack & { bandwidth: number; codec: string }

const soundGroup = 'sound'

export function joinSounds(renditions: RenditionFacts[], sounds: SoundFacts[]): MasterPlaylist {
  const soundBandwidth = Math.max(0, ...sounds.map(({ bandwidth }) => bandwidth))
  const joined = renditions.map((one) => ({
    ...one,
    bandwidth: one.bandwidth + soundBandwidth,
    averageBandwidth: one.averageBandwidth + soundBandwidth,
    codecs: [...new Set([...one.codecs.split(','), ...sounds.map(({ codec }) => codec)])].join(','),
  }))
  return { renditions: joined, sounds }
}

export function writeMasterPlaylist({ renditions, sounds }: MasterPlaylist): string {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS']
  lines.push(...sounds.map((sound, index) => describeSound(sound, index === 0)))
  for (const one of renditions) {
    const attributes = [
      `BANDWIDTH=${one.bandwidth}`,
      `AVERAGE-BANDWIDTH=${one.averageBandwidth}`,
      `CODECS="${one.codecs}"`,
      `RESOLUTION=${one.width}x${one.height}`,
      `FRAME-RATE=${one.frameRate.toFixed(3)}`,
      ...(sounds.length > 0 ? [`AUDIO="${soundGroup}"`] : []),
    ]
    lines.push(`#EXT-X-STREAM-INF:${attributes.join(',')}`, one.playlist)
  }
  return `${lines.join('\n')}\n`
}

/** With `mix` as the default in place of an earlier one. Others are listed from `sound-1` on. */
export function writeMixedPlaylist(master: string, mix: SoundTrack | null): string {
  const lines = master.split('\n').filter((line) => !line.includes('URI="sound-0'))
  const firstSound = lines.findIndex((line) => line.startsWith('#EXT-X-MEDIA:TYPE=AUDIO'))
  const changed = lines.map((line, index) => {
    const answer = index === firstSound && !mix ? 'YES' : 'NO'
    return line.replace(/(DEFAULT|AUTOSELECT)=(?:YES|NO)/g, `$1=${answer}`)
  })
  if (mix) changed.splice(firstSound, 0, describeSound(mix, true))
  return changed.join('\n')
}

function describeSound(
  { name, language, channels, playlist }: SoundTrack,
  isDefault: boolean,
): string {
  const tag = language && languageTag(language)
  const attributes = [
    'TYPE=AUDIO',
    `GROUP-ID="${soundGroup}"`,
    `NAME="${name}"`,
    ...(tag ? [`LANGUAGE="${tag}"`] : []),
    `DEFAULT=${isDefault ? 'YES' : 'NO'}`,
    // Otherwise the system's language decides.
    `AUTOSELECT=${isDefault ? 'YES' : 'NO'}`,
    `CHANNELS="${channels}"`,
    `URI="${playlist}"`,
  ]
  return `#EXT-X-MEDIA:${attributes.join(',')}`
}

/** Bits per second; peak by RFC 8216 (`BANDWIDTH`): any run of 0.5 to 1.5 target durations. */
export function measureBandwidth(segments: HlsSegment[]): { peak: number; average: number } {
  const target = targetSeconds(segments)
  const total = segments.reduce(
    (sum, one) => ({ bytes: sum.bytes + one.bytes, seconds: sum.seconds + one.seconds }),
    { bytes: 0, seconds: 0 },
  )
  const average = Math.ceil((total.bytes * 8) / Math.max(total.seconds, 0.001))
  let peak = average
  for (let first = 0; first < segments.length; first += 1) {
    let [bytes, seconds] = [0, 0]
    for (const segment of segments.slice(first, first + 64)) {
      bytes += segment.bytes
      seconds += segment.seconds
      if (seconds > target * 1.5) break
      if (seconds >= target * 0.5) peak = Math.max(peak, Math.ceil((bytes * 8) / seconds))
    }
  }
  return { peak, average }
}

function targetSeconds(segments: HlsSegment[]): number {
  return Math.max(1, ...segments.map(({ seconds }) => Math.round(seconds)))
}

/**
 * RFC 6381.
 * @throws without H.264
 */
export function readCodecs(head: Buffer): string {
  const picture = head.indexOf('avcC', 0, 'latin1')
  if (picture < 0) throw new Error('The rendition holds no H.264.')
  const codecs = [`avc1.${head.toString('hex', picture + 5, picture + 8)}`]
  const sound = readSoundCodec(head)
  return [...codecs, ...(sound ? [sound] : [])].join(',')
}

export function readSoundCodec(head: Buffer): string | null {
  const sound = head.indexOf('esds', 0, 'latin1')
  return sound < 0 ? null : `mp4a.40.${readAacObjectType(head.subarray(sound + 8))}`
}

function readAacObjectType(descriptors: Buffer): number {
  const esDescriptor = 3
  const decoderConfiguration = 4
  const decoderSpecific = 5
  for (let at = 0; at + 2 < descriptors.length; ) {
    const tag = descriptors[at]
    at += 1
    while ((descriptors[at] ?? 0) & 0x80) at += 1
    at += 1
    if (tag === esDescriptor) at += 3
    else if (tag === decoderConfiguration) at += 13
    else if (tag === decoderSpecific) return (descriptors[at] ?? 0) >> 3
    else break
  }
  throw new Error('The rendition holds no AAC.')
}
