import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { recogniseFile } from '#shared/file-kind/recognise-file.ts'

const bytesOf = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  )

const zeros = (count: number) => Array.from({ length: count }, () => 0)

/** A packet of a transport stream. */
const packet = (flags: number) => bytesOf([0x47, 0x01, 0x00, flags], zeros(184))
const packets = (flags: number, before: number[] = []) =>
  Buffer.concat(Array.from({ length: 8 }, () => bytesOf(before, [...packet(flags)])))

const ASF = [
  ...[0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9, 0x00, 0xaa, 0x00, 0x62, 0xce],
  ...[0x6c, 0x60, 0, 0, 0, 0, 0, 0, 0],
]
const ASF_STREAM = [0x4d, 0x5b, 0xcf, 0x11, 0xa8, 0xfd, 0x00, 0x80, 0x5f, 0x5c, 0x44, 0x2b]
const ASF_PICTURE = [0xc0, 0xef, 0x19, 0xbc, ...ASF_STREAM]
const ASF_SOUND = [0x40, 0x9e, 0x69, 0xf8, ...ASF_STREAM]
const ASF_LICENCE = [
  ...[0xfb, 0xb3, 0x11, 0x22, 0x23, 0xbd, 0xd2, 0x11],
  ...[0xb4, 0xb7, 0x00, 0xa0, 0xc9, 0x55, 0xfc, 0x6e],
]

const VIDEOS: [string, Buffer][] = [
  ['MP4', bytesOf([0, 0, 0, 0x18], 'ftypisom')],
  ['MP4', bytesOf([0, 0, 0, 0x14], 'ftypqt  ')],
  ['MP4', bytesOf([0, 0, 0, 8], 'wide')],
  ['MP4', bytesOf([0, 0, 0, 8], 'stypmsdh', zeros(12), 'moov')],
  ['AVI', bytesOf('RIFF', [1, 2, 3, 4], 'AVI LIST')],
  ['MKV', bytesOf([0x1a, 0x45, 0xdf, 0xa3], zeros(8))],
  ['FLV', bytesOf('FLV', [1, 5, 0, 0, 0, 9])],
  ['WMV', bytesOf(ASF, ASF_SOUND, ASF_PICTURE, zeros(40))],
  ['OGV', bytesOf('OggS', zeros(24), [0x80], 'theora', zeros(40))],
  ['MPG', bytesOf([0, 0, 1, 0xba], zeros(60))],
  ['MPG', bytesOf([0x9c, 1, 0xfe], [0, 0, 1, 0xba], zeros(60), [0, 0, 1, 0xba], zeros(9))],
  ['TS', packets(0)],
  ['TS', packets(0).subarray(71)],
  ['M2TS', packets(0, [0, 0, 0, 0])],
]

test.each(VIDEOS)('a file that begins as %s is a video', (video, bytes) => {
  expect(recogniseFile(bytes)).toEqual({ video })
})

const gif = (pictures: number) =>
  bytesOf(
    'GIF89a',
    [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 1, 1, 1],
    ...Array.from({ length: pictures }, () => [
      ...[0x21, 0xf9, 4, 0, 0, 0, 0, 0],
      ...[0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0],
    ]),
    [0x3b],
  )

const OTHERS: [string, Buffer][] = [
  ['an empty file', bytesOf()],
  ['a file of zeros: nothing was recorded into it', bytesOf(zeros(5000))],
  ['a sound file (FLAC)', bytesOf('fLaC', zeros(4))],
  ['a sound file (FLAC)', bytesOf('ID3', [4, 0, 0, 0, 0, 0, 2], zeros(2), 'fLaC')],
  ['a sound file (MP3)', bytesOf('ID3', [4, 0, 0, 0, 0, 0, 2], zeros(2), [0xff, 0xfb, 0x90])],
  ['a sound file (MP3)', bytesOf([0xff, 0xfb, 0x90, 0x64], zeros(100))],
  ['a sound file (AAC)', bytesOf([0xff, 0xf1, 0x50, 0x80], zeros(100))],
  ['a sound file (WAV)', bytesOf('RIFF', zeros(4), 'WAVEfmt ')],
  ['a sound file (Wave64)', bytesOf('riff', [0x2e, 0x91, 0xcf, 0x11], zeros(40))],
  ['a sound file (M4A)', bytesOf([0, 0, 0, 0x18], 'ftypM4A ')],
  ['a sound file (WMA)', bytesOf(ASF, ASF_SOUND, zeros(60))],
  ['a sound file (Ogg Vorbis)', bytesOf('OggS', zeros(24), [1], 'vorbis')],
  ['a sound file (Opus)', bytesOf('OggS', zeros(24), 'OpusHead')],
  ['an animated picture (GIF)', gif(2)],
  ['a picture (GIF)', gif(1)],
  ['an animated picture (WebP)', bytesOf('RIFF', zeros(4), 'WEBPVP8X', [10, 0, 0, 0, 2])],
  ['a picture (WebP)', bytesOf('RIFF', zeros(4), 'WEBPVP8 ', zeros(8))],
  ['an animated picture (APNG)', bytesOf([0x89], 'PNG\r\n\x1a\n', zeros(20), 'acTL', 'IDAT')],
  ['a picture (PNG)', bytesOf([0x89], 'PNG\r\n\x1a\n', zeros(20), 'IDAT', 'acTL')],
  ['a picture (JPEG)', bytesOf([0xff, 0xd8, 0xff, 0xe0], 'JFIF')],
  ['a picture (HEIC)', bytesOf([0, 0, 0, 0x18], 'ftypheic')],
  ['a picture (AVIF)', bytesOf([0, 0, 0, 0x18], 'ftypavif')],
  ['an animated picture (AVIF)', bytesOf([0, 0, 0, 0x18], 'ftypavis')],
  ['a picture (SVG)', bytesOf('<?xml version="1.0"?>\n<svg xmlns="x">')],
  ['a picture (BMP)', bytesOf('BM', [9, 9, 0, 0], zeros(4))],
  ['a document (PDF)', bytesOf('%PDF-1.7')],
  ['a document (Microsoft Office)', bytesOf('PK\x03\x04', zeros(26), 'word/document.xml')],
  ['an archive (ZIP)', bytesOf('PK\x03\x04', zeros(26), 'a.mp4')],
  ['an archive (RAR)', bytesOf('Rar!\x1a\x07\x01\0')],
  ['an archive (7z)', bytesOf('7z', [0xbc, 0xaf, 0x27, 0x1c])],
  ['an archive (GZIP)', bytesOf([0x1f, 0x8b, 8, 0], [...deflateSync('x')])],
  ['a program (EXE)', bytesOf('MZ', zeros(20))],
  [
    'a shortcut (LNK), without the file that it points to',
    bytesOf('L', [0, 0, 0, 1, 0x14, 2, 0, 0]),
  ],
  ['a shortcut (URL)', bytesOf('[InternetShortcut]\r\nURL=file:///x.mp4')],
  ['a playlist (M3U8)', bytesOf('#EXTM3U\n#EXT-X-VERSION:3\n')],
  ['a playlist (MPEG-DASH)', bytesOf('<?xml version="1.0"?><MPD type="static">')],
  ['a playlist (ffconcat)', bytesOf('ffconcat version 1.0\nfile x.mp4')],
  ['a file of captions (SubRip)', bytesOf('1\r\n00:00:01,000 --> 00:00:02,000\r\nHello')],
  ['a file of captions (WebVTT)', bytesOf([0xef, 0xbb, 0xbf], 'WEBVTT\n\n')],
  ['a web page (HTML)', bytesOf('<!doctype html><title>x</title>')],
  ['a text file', bytesOf('Dear all, this is not a video.')],
  ['a text file', bytesOf('Gr\xfc\xdfe aus K\xf6ln, in einer alten Kodierung')],
  ['a text file', bytesOf([0xff, 0xfe], 'H\0e\0l\0l\0o\0')],
  ['an encrypted video (WMV)', bytesOf(ASF, ASF_LICENCE, ASF_PICTURE, zeros(40))],
  ['an encrypted video (TS)', packets(0xc0)],
  [
    'an encrypted video (DVD)',
    bytesOf([0, 0, 1, 0xba], zeros(10), [0, 0, 1, 0xe0, 7, 0xec, 0xb0], zeros(20)),
  ],
  [
    'one piece of a streamed recording (MP4), without its beginning',
    bytesOf([0, 0, 0, 8], 'stypmsdh'),
  ],
  ['a video of a kind that is not supported (RealMedia)', bytesOf('.RMF', zeros(14))],
  [
    'a video of a kind that is not supported (H.264 without a container)',
    bytesOf([0, 0, 0, 1, 0x67, 0x64]),
  ],
  [
    'a companion file of macOS, without the video that it belongs to',
    bytesOf([0, 5, 0x16, 7, 0, 2, 0, 0]),
  ],
]

test.each(OTHERS)('%s is recognised', (other, bytes) => {
  expect(recogniseFile(bytes)).toEqual({ other })
})

test('what begins as nothing known is not called anything', () => {
  expect(recogniseFile(bytesOf([0x9c, 0x01, 0xfe, 0x02, 0x80, 0x13], zeros(200), [7]))).toBeNull()
})
