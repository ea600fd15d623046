import { type ContainerKind, PROGRAM_STREAM_PACK, recogniseContainer } from './containers.ts'
import { animation, type FileHead, kindNamed, picture, readHead, sound } from './file-head.ts'
import { SIGNATURES } from './signatures.ts'
import { describeText } from './text-kinds.ts'

export type FileKind = ContainerKind | null

/** Enough to recognise any file. */
export const FILE_HEAD_BYTES = 64 * 1024

/** @param bytes at least `FILE_HEAD_BYTES` of a longer file */
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

/** Recognises it by later packs. */
function isCutProgramStream(text: string): boolean {
  const first = text.indexOf(PROGRAM_STREAM_PACK)
  return first > 0 && text.indexOf(PROGRAM_STREAM_PACK, first + 1) > 0
}

function describeOther(head: FileHead): string | null {
  if (head.bytes.every((byte) => byte === 0)) return 'a file of zeros: nothing was recorded into it'
  if (isBitmap(head)) return picture('BMP')
  if (head.text.startsWith('bplist00') && head.text.includes('URL')) {
    return kindNamed('a shortcut', 'webloc')
  }
  return describeText(head)
}

/** Text may begin with 'BM'; a bitmap has its length and four zero bytes. */
const isBitmap = ({ text }: FileHead) => text.startsWith('BM') && text.slice(6, 10) === '\0\0\0\0'

/** Has 'acTL' before the first image data. */
function describePng(text: string): string | null {
  if (!text.startsWith('\x89PNG\r\n\x1a\n')) return null
  const data = text.indexOf('IDAT')
  return text.slice(0, data < 0 ? undefined : data).includes('acTL')
    ? animation('APNG')
    : picture('PNG')
}

function describeGif({ bytes, text }: FileHead): string | null {
  if (!/^GIF8[79]a/.test(text)) return null
  const repeats = text.includes('NETSCAPE2.0') || text.includes('ANIMEXTS1.0')
  return repeats || hasSecondPicture(bytes) ? animation('GIF') : picture('GIF')
}

const [GIF_EXTENSION, GIF_PICTURE] = [0x21, 0x2c]

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
