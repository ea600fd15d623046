import { animation, type FileHead, kindNamed, picture, sound } from './file-head.ts'

/** `other` completes 'This is …'. */
export type ContainerKind = { video: string } | { other: string }

/** First boxes of files without 'ftyp'. */
const FIRST_BOXES = ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot', 'uuid']
const SEGMENT_BOXES = ['styp', 'moof', 'sidx']

const encrypted = (format: string): ContainerKind => ({
  other: kindNamed('an encrypted video', format),
})

export function recogniseContainer(head: FileHead): ContainerKind | null {
  const { text } = head
  const box = text.slice(4, 8)
  if (box === 'ftyp') return recogniseBrand(text)
  if (SEGMENT_BOXES.includes(box) && !text.includes('moov')) {
    return { other: 'one piece of a streamed recording (MP4), without its beginning' }
  }
  if (FIRST_BOXES.includes(box) || SEGMENT_BOXES.includes(box)) return { video: 'MP4' }
  if (text.startsWith('RIFF')) return recogniseRiff(text)
  if (text.startsWith('\x1a\x45\xdf\xa3')) return { video: 'MKV' }
  if (text.startsWith('FLV\x01')) return { video: 'FLV' }
  if (text.startsWith(ASF_HEADER)) return recogniseAsf(head)
  if (text.startsWith('OggS')) return recogniseOgg(text)
  if (text.startsWith(PROGRAM_STREAM_PACK)) return recogniseProgramStream(head)
  return recogniseTransportStream(head)
}

const HEIF_BRANDS: Record<string, string> = {
  ...{ heic: picture('HEIC'), heix: picture('HEIC'), heim: picture('HEIC'), heis: picture('HEIC') },
  ...{ hevc: animation('HEIC'), hevx: animation('HEIC'), mif1: picture('HEIF') },
  ...{ msf1: animation('HEIF'), avif: picture('AVIF'), avis: animation('AVIF') },
  ...{ 'crx ': picture('CR3'), 'jpx ': picture('JPEG 2000'), 'jp2 ': picture('JPEG 2000') },
  ...{ 'M4A ': sound('M4A'), 'M4B ': sound('M4B'), 'M4P ': sound('M4P'), 'F4A ': sound('F4A') },
}

function recogniseBrand(text: string): ContainerKind {
  const other = HEIF_BRANDS[text.slice(8, 12)]
  return other === undefined ? { video: 'MP4' } : { other }
}

/** Offset and flag of an animated WebP. */
const [WEBP_FLAGS, WEBP_MOVES] = [20, 0x02]

function recogniseRiff(text: string): ContainerKind | null {
  switch (text.slice(8, 12)) {
    case 'AVI ':
    case 'AVIX':
    case 'AVI\x19':
      return { video: 'AVI' }
    case 'WAVE':
      return { other: sound('WAV') }
    case 'RMID':
      return { other: sound('MIDI') }
    case 'WEBP': {
      const moves = text.slice(12, 16) === 'VP8X' && text.charCodeAt(WEBP_FLAGS) & WEBP_MOVES
      return { other: moves ? animation('WebP') : picture('WebP') }
    }
    default:
      return null
  }
}

const ASF_HEADER = '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c'
const ASF_PICTURE = '\xc0\xef\x19\xbc\x4d\x5b\xcf\x11\xa8\xfd\x00\x80\x5f\x5c\x44\x2b'
const ASF_SOUND = '\x40\x9e\x69\xf8\x4d\x5b\xcf\x11\xa8\xfd\x00\x80\x5f\x5c\x44\x2b'
const ASF_ENCRYPTION = [
  '\xfb\xb3\x11\x22\x23\xbd\xd2\x11\xb4\xb7\x00\xa0\xc9\x55\xfc\x6e',
  '\x14\xe6\x8a\x29\x22\x26\x17\x4c\xb9\x35\xda\xe0\x7e\xe9\x28\x9c',
  '\x33\x85\x05\x43\x81\x69\xe6\x49\x9b\x74\xad\x12\xcb\x86\xd5\x8c',
]

function recogniseAsf({ bytes, text }: FileHead): ContainerKind {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = bytes.length < 24 ? 0 : view.getUint32(16, true)
  const header = text.slice(0, size)
  if (ASF_ENCRYPTION.some((id) => header.includes(id))) return encrypted('WMV')
  // Embedded pictures can make the header longer than what was read.
  const isWhole = size <= bytes.length
  const isSound = isWhole && header.includes(ASF_SOUND) && !header.includes(ASF_PICTURE)
  return isSound ? { other: sound('WMA') } : { video: 'WMV' }
}

const OGG_PICTURES = ['\x80theora', 'BBCD\0', 'OVP80', '\x01video\0']
const OGG_SOUNDS: readonly [starts: string, format: string][] = [
  ['OpusHead', 'Opus'],
  ['\x01vorbis', 'Ogg Vorbis'],
  ['\x7fFLAC', 'Ogg FLAC'],
  ['Speex   ', 'Speex'],
]
const OGG_HEADERS_BYTES = 4096

function recogniseOgg(text: string): ContainerKind {
  const headers = text.slice(0, OGG_HEADERS_BYTES)
  if (OGG_PICTURES.some((starts) => headers.includes(starts))) return { video: 'OGV' }
  const found = OGG_SOUNDS.find(([starts]) => headers.includes(starts))
  return found ? { other: sound(found[1]) } : { video: 'OGV' }
}

/** Scrambling bits of packet headers. */
const SCRAMBLED = { transport: 0xc0, program: 0x30 }

export const PROGRAM_STREAM_PACK = '\0\0\x01\xba'

/** DVDs encrypt single packets. */
function recogniseProgramStream({ bytes, text }: FileHead): ContainerKind {
  let [packets, scrambled] = [0, 0]
  for (const start of ['\0\0\x01\xe0', '\0\0\x01\xbd', '\0\0\x01\xc0']) {
    for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 4)) {
      const flags = bytes[at + 6] ?? 0
      if ((flags & 0xc0) !== 0x80) continue
      packets += 1
      if ((flags & SCRAMBLED.program) !== 0) scrambled += 1
    }
  }
  return scrambled * 2 > packets ? encrypted('DVD') : { video: 'MPG' }
}

/** Packet bytes, with timestamp (192) or error correction (204). */
const TRANSPORT_SHAPES = [
  { size: 188, name: 'TS' },
  { size: 192, name: 'M2TS' },
  { size: 204, name: 'TS' },
]
const MARK = 0x47
/** Fewer matches may be a coincidence. */
const LEAST_MARKS = 5

function recogniseTransportStream({ bytes }: FileHead): ContainerKind | null {
  for (const { size, name } of TRANSPORT_SHAPES) {
    for (let start = 0; start < size; start += 1) {
      const marks = Array.from({ length: LEAST_MARKS }, (_, index) => bytes[start + index * size])
      if (!marks.every((mark) => mark === MARK)) continue
      return isScrambled(bytes, start, size) ? encrypted(name) : { video: name }
    }
  }
  return null
}

function isScrambled(bytes: Uint8Array, start: number, size: number): boolean {
  let [packets, scrambled] = [0, 0]
  for (let at = start; at + 4 <= bytes.length; at += size) {
    const id = (((bytes[at + 1] ?? 0) & 0x1f) << 8) | (bytes[at + 2] ?? 0)
    // Tables are never scrambled, null packets are empty.
    if (id < 0x20 || id === 0x1fff) continue
    packets += 1
    if (((bytes[at + 3] ?? 0) & SCRAMBLED.transport) !== 0) scrambled += 1
  }
  return scrambled * 2 > packets
}
