import { deflateSync } from 'node:zlib'
import { createRandom } from '#tools/seed/random.ts'
import { element, elementOfSize, float, matroska, nest, unsigned, videoTrack } from './ebml.ts'
import { any, type HostileFile, type Lures, MARKER, refusedWith } from './hostile-file.ts'
import { box, copyBox, listBoxes, patchBox, replaceBox } from './mp4-surgery.ts'

/** Whole clips, to be spoiled. */
export type Clips = Record<'mp4' | 'mkv' | 'avi' | 'mjpeg' | StreamedClip, Buffer>
type StreamedClip = 'flv' | 'ts' | 'm2ts' | 'mpg' | 'wmv' | 'ogv'

const refused = refusedWith(422)

/** Files that are cut off, flipped, or nothing at all. */
export function makeDamaged({ mjpeg: _, ...whole }: Clips, seed: number): HostileFile[] {
  const random = createRandom(seed, 'damage')
  const cut = Object.entries(whole).flatMap(([kind, bytes]) =>
    [0.001, 0.01, 0.1, 0.5, 0.9, 0.999].map((part) =>
      any(`cut-at-${part}.${kind}`, bytes.subarray(0, Math.max(1, bytes.length * part))),
    ),
  )
  const flipped = Object.entries(whole).flatMap(([kind, bytes]) =>
    [1, 20, 400].map((flips) => {
      const changed = Buffer.from(bytes)
      for (let flip = 0; flip < flips; flip++) {
        const at = random.integer(0, changed.length - 1)
        changed.writeUInt8(changed.readUInt8(at) ^ (1 << random.integer(0, 7)), at)
      }
      return any(`flipped-${flips}.${kind}`, changed)
    }),
  )
  return [
    ...cut,
    ...flipped,
    refused('one-byte.mp4', Buffer.from('x')),
    refused('zeros.mp4', Buffer.alloc(1_000_000)),
    refused('ones.mkv', Buffer.alloc(1_000_000, 0xff)),
  ]
}

/** MP4 files that name others, lie about sizes and counts, or never end. */
export function makeMp4Lies({ mp4 }: Clips, { canary, neighbour }: Lures): HostileFile[] {
  const reference = (type: string, address: string) =>
    replaceBox(
      mp4,
      'dref',
      box(
        'dref',
        Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]),
        box(type, Buffer.alloc(4), Buffer.from(`${address}\0`)),
      ),
    )
  const sized = (type: string, size: number) => {
    const changed = Buffer.from(mp4)
    const found = listBoxes(changed).find((one) => one.type === type)
    if (found) changed.writeUInt32BE(size, found.start)
    return changed
  }
  const endless = Buffer.from(sized('moov', 1))
  const moov = listBoxes(mp4).find((one) => one.type === 'moov')
  endless.writeBigUInt64BE(2n ** 63n, (moov?.start ?? 0) + 8)
  let boxes = Buffer.from(box('udta'))
  for (let depth = 0; depth < 5000; depth++) boxes = Buffer.from(box('moov', boxes))
  const counted = (type: string, at: number) =>
    patchBox(mp4, type, (content) => content.writeUInt32BE(0xffff_ffff, at))
  const trak = copyBox(mp4, 'trak')
  return [
    any('reference-http.mov', reference('url ', `${canary}/dref.mov`), true),
    any('reference-file.mov', reference('url ', 'file:///etc/passwd')),
    any('reference-beside.mov', reference('url ', neighbour)),
    any('reference-alias.mov', reference('alis', neighbour)),
    any('reference-resource.mov', reference('rsrc', neighbour)),
    ...[0, 1, 2, 7, 0x7fff_ffff, 0xffff_ffff].map((size) =>
      any(`moov-of-${size}.mp4`, sized('moov', size)),
    ),
    any('mdat-of-1.mp4', sized('mdat', 1)),
    any('trak-of-0.mp4', sized('trak', 0)),
    any('moov-of-2-63.mp4', endless, true),
    refused('boxes-in-boxes.mp4', Buffer.concat([copyBox(mp4, 'ftyp'), boxes]), true),
    any(
      'many-streams.mp4',
      replaceBox(mp4, 'trak', Buffer.concat(Array.from({ length: 2000 }, () => trak))),
      true,
    ),
    ...(['stts', 'stsc', 'stco', 'ctts', 'stss', 'elst'] as const).map((type) =>
      any(`${type}-without-end.mp4`, counted(type, 4)),
    ),
    any(
      'samples-without-end.mp4',
      patchBox(mp4, 'stsz', (content) => content.writeUInt32BE(0xffff_ffff, 8)),
    ),
    any(
      'huge-samples.mp4',
      patchBox(mp4, 'stsz', (content) => content.writeUInt32BE(0x7fff_ffff, 4)),
    ),
    any('long.mp4', patchBox(patchBox(mp4, 'mvhd', longer), 'mdhd', longer), true),
    any(
      'slow-frames.mp4',
      patchBox(mp4, 'stts', (content) => content.writeUInt32BE(0x7fff_ffff, 12)),
    ),
    any(
      'fast-frames.mp4',
      patchBox(mp4, 'mdhd', (content) => content.writeUInt32BE(0x7fff_ffff, 12)),
    ),
    any(
      'no-time.mp4',
      patchBox(mp4, 'mdhd', (content) => content.writeUInt32BE(0, 12)),
    ),
    any('pixels.mp4', replacePicture(mp4, 65_535)),
    any('no-pixels.mp4', replacePicture(mp4, 0)),
  ]
}

/** The version 0 of both boxes has its timescale and duration at the same place. */
function longer(content: Buffer): void {
  content.writeUInt32BE(1, 12)
  content.writeUInt32BE(0xffff_ffff, 16)
}

/** The size in the description of the samples, after the name of the codec and 24 further bytes. */
function replacePicture(mp4: Buffer, side: number): Buffer {
  const changed = Buffer.from(mp4)
  const at = changed.indexOf('avc1', changed.indexOf('stsd'))
  changed.writeUInt16BE(side, at + 28)
  changed.writeUInt16BE(side, at + 30)
  return changed
}

/** Matroska and AVI files that do the same. */
export function makeOtherLies({ mkv, avi, mjpeg }: Clips, lures: Lures): HostileFile[] {
  const { canary, neighbour } = lures
  const scale = unsigned('2ad7b1', 1_000_000)
  const info = (...more: Buffer[]) => element('1549a966', scale, ...more)
  const size = (side: number) => element('e0', unsigned('b0', side), unsigned('ba', side))
  const linked = info(
    element('3eb923', Buffer.alloc(16, 1)),
    element('3e83bb', neighbour),
    element('3c83ab', `${canary}/before.mkv`),
    element('7384', neighbour),
  )
  // Scope 2 is the codec's private data: unpacked as soon as the header is read.
  const packed = element(
    '6d80',
    element('6240', unsigned('5032', 2), element('5034', unsigned('4254', 0))),
  )
  const bomb = element('63a2', deflateSync(Buffer.alloc(100_000_000)))
  return [
    refused('links.mkv', matroska(linked, element('1654ae6b', videoTrack(size(64)))), true),
    refused(
      'deep-tags.mkv',
      matroska(info(), element('1254c367', element('7373', nest('67c8', 4000)))),
    ),
    refused(
      'deep-chapters.mkv',
      matroska(info(), element('1043a770', element('45b9', nest('b6', 4000)))),
    ),
    refused(
      'many-tracks.mkv',
      matroska(
        info(),
        element('1654ae6b', ...Array.from({ length: 5000 }, () => videoTrack(size(64)))),
      ),
    ),
    refused('pixels.mkv', matroska(info(), element('1654ae6b', videoTrack(size(2 ** 31))))),
    refused(
      'packed.mkv',
      matroska(info(), element('1654ae6b', videoTrack(packed, bomb, size(64)))),
    ),
    refused(
      'long.mkv',
      matroska(info(float('4489', 1e300)), element('1654ae6b', videoTrack(size(64)))),
    ),
    refused(
      'endless-attachment.mkv',
      matroska(info(), elementOfSize('1941a469', 2n ** 55n, Buffer.alloc(10))),
    ),
    any(
      'appended-tags.mkv',
      Buffer.concat([mkv, element('1254c367', element('7373', nest('67c8', 2000)))]),
    ),
    any(
      'pixels.avi',
      patchAvi(avi, 'strf', (at, bytes) =>
        [4, 8].map((side) => bytes.writeInt32LE(65_535, at + side)),
      ),
    ),
    any(
      'negative-pixels.avi',
      patchAvi(avi, 'strf', (at, bytes) => bytes.writeInt32LE(-(2 ** 31), at + 8)),
    ),
    any(
      'fast-frames.avi',
      patchAvi(avi, 'strh', (at, bytes) => bytes.writeUInt32LE(0xffff_ffff, at + 24)),
    ),
    any(
      'no-time.avi',
      patchAvi(avi, 'strh', (at, bytes) => bytes.writeUInt32LE(0, at + 20)),
    ),
    any(
      'long.avi',
      patchAvi(avi, 'strh', (at, bytes) => bytes.writeUInt32LE(0xffff_ffff, at + 32)),
    ),
    any('jpeg-pixels.avi', enlargeJpegs(mjpeg), true),
  ]
}

/** @param patch is given where the content of the first chunk of a name begins */
function patchAvi(avi: Buffer, name: string, patch: (at: number, bytes: Buffer) => void): Buffer {
  const changed = Buffer.from(avi)
  patch(changed.indexOf(name) + 8, changed)
  return changed
}

/** Each frame says that it is 65,500 pixels wide and high. */
function enlargeJpegs(avi: Buffer): Buffer {
  const changed = Buffer.from(avi)
  const start = Buffer.from([0xff, 0xc0, 0, 17, 8])
  for (let at = changed.indexOf(start); at >= 0; at = changed.indexOf(start, at + 1)) {
    changed.writeUInt16BE(65_500, at + 5)
    changed.writeUInt16BE(65_500, at + 7)
  }
  return changed
}

/** Files that are a video and something else; what else they are must be gone from what is served. */
export function makePolyglots({ mp4 }: Clips): HostileFile[] {
  const page = `<!doctype html><title>x</title><script>alert('${MARKER}')</script>`
  const ftyp = copyBox(mp4, 'ftyp')
  const rest = mp4.subarray(ftyp.length)
  const zip = Buffer.concat([
    Buffer.from('PK\x03\x04'),
    Buffer.from(MARKER),
    Buffer.from('PK\x05\x06'),
    Buffer.alloc(18),
  ])
  return [
    // In front of the index, so that the places of the samples stay right only when it is declared so.
    any('page-in-front.mp4', Buffer.concat([ftyp, box('free', Buffer.from(page)), rest])),
    any('page-behind.mp4', Buffer.concat([mp4, box('free', Buffer.from(page))]), true),
    any('archive-behind.mp4', Buffer.concat([mp4, zip])),
    any(
      'script-in-title.mp4',
      Buffer.concat([mp4, box('uuid', Buffer.alloc(16), Buffer.from(page))]),
    ),
    refused('gif-and-script.mp4', Buffer.from(`GIF89a/*${MARKER}*/=1;alert(1)//`)),
    refused(
      'pdf.mp4',
      Buffer.from(`%PDF-1.7\n1 0 obj <</OpenAction <</S /JavaScript /JS (${MARKER})>>>>\n`),
    ),
    refused('page.webm', Buffer.from(page.repeat(200))),
    refused('elf.mp4', Buffer.from('\x7fELF\x02\x01\x01', 'latin1')),
  ]
}
