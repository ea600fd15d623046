import { crc32, deflateSync } from 'node:zlib'
import { makePng } from '#test/support/png.ts'
import { any, type HostileFile, type Lures, MARKER, refusedWith } from './hostile-file.ts'

const noPicture = refusedWith(415)
const damaged = refusedWith(422)
const tooLarge = refusedWith(413)

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** Pictures that are something else, unpack to far more than they weigh, or are broken. */
export function makeHostilePictures(jpeg: Buffer, { canary }: Lures): HostileFile[] {
  const png = makePng(64, 64)
  const afterHeader = (added: Buffer) =>
    Buffer.concat([png.subarray(0, 33), added, png.subarray(33)])
  const packed = deflateSync(Buffer.alloc(120_000_000))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="${canary}/svg.png"/><script>alert('${MARKER}')</script></svg>`
  const comment = Buffer.from(`<script>alert('${MARKER}')</script>`)
  return [
    noPicture('drawing.svg', Buffer.from(svg), true),
    noPicture('page.png', Buffer.from(`<!doctype html><script>alert('${MARKER}')</script>`), true),
    noPicture(
      'xml.jpg',
      Buffer.from(`<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "${canary}/e">]><x>&a;</x>`),
    ),
    noPicture('animated.gif', Buffer.from(`GIF89a/*${MARKER}*/=1;`)),
    noPicture(
      'picture.webp',
      Buffer.concat([Buffer.from('RIFF\x20\0\0\0WEBPVP8 '), Buffer.alloc(30)]),
    ),
    noPicture('picture.avif', Buffer.from('\0\0\0\x20ftypavif\0\0\0\0')),
    noPicture('drawing.eps', Buffer.from(`%!PS-Adobe-3.0\n(%pipe%curl ${canary}) (r) file\n`)),
    noPicture('commands.mvg', Buffer.from(`push graphic-context\nfill 'url(${canary}/mvg)'\n`)),
    damaged('signature-only.png', SIGNATURE),
    damaged('large.png', makeHeaderPng(30_000, 30_000), true),
    damaged('pixels.png', makeHeaderPng(65_535, 65_535)),
    damaged('most-pixels.png', makeHeaderPng(0x7fff_ffff, 0x7fff_ffff)),
    damaged('no-pixels.png', makeHeaderPng(0, 0)),
    damaged(
      'endless-chunk.png',
      Buffer.concat([
        png.subarray(0, 33),
        Buffer.from([0xff, 0xff, 0xff, 0xff]),
        Buffer.from('IDAT'),
      ]),
    ),
    damaged('pixels.jpg', patchJpeg(jpeg, 65_500)),
    damaged('no-picture.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xd9])),
    damaged('cut.jpg', jpeg.subarray(0, 60)),
    any(
      'colour-bomb.png',
      afterHeader(chunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), packed]))),
      true,
    ),
    any('text-bomb.png', afterHeader(chunk('zTXt', Buffer.concat([Buffer.from('x\0\0'), packed])))),
    any(
      'picture-bomb.png',
      Buffer.concat([png.subarray(0, 33), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))]),
    ),
    any(
      'animated.png',
      afterHeader(chunk('acTL', Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]))),
    ),
    any('archive.png', Buffer.concat([png, Buffer.from(`PK\x03\x04${MARKER}`)])),
    any('script-in-comment.jpg', addSegment(jpeg, 0xfe, comment), true),
    any(
      'orientation-without-end.jpg',
      addSegment(jpeg, 0xe1, Buffer.from('Exif\0\0II*\0\x08\0\0\0\xff\xff', 'latin1')),
    ),
    any(
      'many-scans.jpg',
      Buffer.concat([
        jpeg.subarray(0, -2),
        ...Array.from({ length: 3000 }, () =>
          jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2),
        ).slice(0, 200),
        jpeg.subarray(-2),
      ]),
    ),
  ]
}

/** Says that it is of this size, and holds one row. */
function makeHeaderPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(1000))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

function patchJpeg(jpeg: Buffer, side: number): Buffer {
  const changed = Buffer.from(jpeg)
  const at = changed.indexOf(Buffer.from([0xff, 0xc0]))
  changed.writeUInt16BE(side, at + 5)
  changed.writeUInt16BE(side, at + 7)
  return changed
}

function addSegment(jpeg: Buffer, marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)])
}

/** Captions that are none, or far too many. */
export function makeHostileCaptions({ canary }: Lures): HostileFile[] {
  const cue = '00:01.000 --> 00:02.000\n'
  return [
    damaged('page.vtt', Buffer.from(`<!doctype html><script>alert('${MARKER}')</script>`), true),
    damaged('bytes.srt', Buffer.from([0, 1, 2, 3, 255, 254, 253])),
    damaged('header-only.vtt', Buffer.from('WEBVTT\n')),
    damaged('backwards.vtt', Buffer.from('WEBVTT\n\n00:02.000 --> 00:01.000\nx\n')),
    damaged('no-times.srt', Buffer.from('1\n99:99:99,999 --> aa\nx\n')),
    any(
      'script.vtt',
      Buffer.from(`WEBVTT\n\n${cue}<script>alert(1)</script><v ${'x'.repeat(5000)}>x\n`),
    ),
    any(
      'style.vtt',
      Buffer.from(`WEBVTT\n\nSTYLE\n::cue { background: url(${canary}/style) }\n\n${cue}x\n`),
      true,
    ),
    any(
      'many-cues.srt',
      Buffer.from(
        Array.from({ length: 20_000 }, (_, at) => `${at}\n00:00:01,000 --> 00:00:02,000\nx\n\n`)
          .join('')
          .slice(0, 1_040_000),
      ),
    ),
    any('deep-tags.vtt', Buffer.from(`WEBVTT\n\n${cue}${'<b>'.repeat(100_000)}x\n`)),
    any('long-line.vtt', Buffer.from(`WEBVTT\n\n${cue}${'x'.repeat(1_000_000)}\n`)),
    any(
      'other-letters.srt',
      Buffer.from(`\ufeff1\n00:00:01,000 --> 00:00:02,000\n\u202ex\0\n`, 'utf16le'),
    ),
    tooLarge('too-large.vtt', Buffer.from(`WEBVTT\n\n${cue}${'x'.repeat(1_100_000)}\n`)),
  ]
}
