import { recogniseContainer } from './containers.ts'
import { animation, type FileHead, kindNamed, picture, readHead, sound } from './file-head.ts'
import { SIGNATURES } from './signatures.ts'
import { describeText } from './text-kinds.ts'

/**
 * What a file is by its first bytes: a video in a container that is taken; something else, which with 'This is …' is a
 * sentence; or null for what nobody knows.
 */
export type FileKind = { video: string } | { other: string } | null

/** How much of a file is enough to tell. */
export const FILE_HEAD_BYTES = 64 * 1024

/** @param bytes the first `FILE_HEAD_BYTES` of a file, or all of it */
export function recogniseFile(bytes: Uint8Array): FileKind {
  const head = readHead(bytes.subarray(0, FILE_HEAD_BYTES))
  const { text } = head
  if (text.length === 0) return { other: 'an empty file' }
  const container = recogniseContainer(head)
  if (container) return container
  const other =
    describePng(text) ??
    describeGif(head) ??
    describeZip(text) ??
    SIGNATURES.find(([starts, , at = 0]) => text.startsWith(starts, at))?.[1] ??
    describeRawSound(head) ??
    describeOther(head)
  if (other !== null) return { other }
  return isCutProgramStream(text) ? { video: 'MPG' } : null
}

/** One whose beginning is missing goes on with the next pack. */
function isCutProgramStream(text: string): boolean {
  const first = text.indexOf(PACK)
  return first > 0 && text.indexOf(PACK, first + PACK.length) > 0
}

const PACK = '\0\0\x01\xba'

function describeOther(head: FileHead): string | null {
  if (head.bytes.every((byte) => byte === 0)) return 'a file of zeros: nothing was recorded into it'
  if (isBitmap(head)) return picture('BMP')
  if (head.text.startsWith('bplist00') && head.text.includes('URL')) {
    return kindNamed('a shortcut', 'webloc')
  }
  return describeText(head)
}

/** 'BM' alone may begin a text: the file's length follows, and four bytes of zero. */
const isBitmap = ({ text }: FileHead) => text.startsWith('BM') && text.slice(6, 10) === '\0\0\0\0'

/** One that moves says so before its first picture. */
function describePng(text: string): string | null {
  if (!text.startsWith('\x89PNG\r\n\x1a\n')) return null
  const data = text.indexOf('IDAT')
  return text.slice(0, data < 0 ? undefined : data).includes('acTL')
    ? animation('APNG')
    : picture('PNG')
}

/** A GIF that moves has several pictures, and says how often they are repeated. */
function describeGif({ bytes, text }: FileHead): string | null {
  if (!/^GIF8[79]a/.test(text)) return null
  const repeats = text.includes('NETSCAPE2.0') || text.includes('ANIMEXTS1.0')
  return repeats || hasSecondPicture(bytes) ? animation('GIF') : picture('GIF')
}

const [GIF_EXTENSION, GIF_PICTURE] = [0x21, 0x2c]

/** Passes from block to block of a GIF. */
function hasSecondPicture(bytes: Uint8Array): boolean {
  const colours = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0)
  let at = 13 + colours(bytes[10])
  for (let pictures = 0; at < bytes.length; ) {
    if (bytes[at] === GIF_EXTENSION) at += 2
    else if (bytes[at] === GIF_PICTURE) {
      pictures += 1
      if (pictures > 1) return true
      at += 11 + colours(bytes[at + 9])
    } else return false
    while (bytes[at]) at += 1 + (bytes[at] ?? 0)
    at += 1
  }
  return false
}

function describeZip(text: string): string | null {
  if (!text.startsWith('PK\x03\x04')) return null
  if (/(word|xl|ppt)\/|\[Content_Types\]\.xml/.test(text)) {
    return kindNamed('a document', 'Microsoft Office')
  }
  if (text.includes('application/vnd.oasis.opendocument')) {
    return kindNamed('a document', 'OpenDocument')
  }
  return kindNamed('an archive', 'ZIP')
}

/** Sound of which each packet begins with a mark, maybe behind a tag. */
function describeRawSound({ bytes, text }: FileHead): string | null {
  if (text.startsWith('ID3')) {
    const sizes = [6, 7, 8, 9].map((at) => bytes[at] ?? 0)
    const behind = sizes.reduce((sum, size) => sum * 128 + (size & 0x7f), 0) + 10
    return sound(text.startsWith('fLaC', behind) ? 'FLAC' : 'MP3')
  }
  const [first = 0, second = 0, third = 0] = bytes
  if (first !== 0xff) return null
  if ((second & 0xf6) === 0xf0) return sound('AAC')
  const [layer, rate, frequency] = [(second >> 1) & 3, third >> 4, (third >> 2) & 3]
  const isKnown = (second & 0xe0) === 0xe0 && (second & 0x18) !== 0x08
  if (!isKnown || rate === 0 || rate === 15 || frequency === 3) return null
  return { 1: sound('MP3'), 2: sound('MP2') }[layer] ?? null
}
