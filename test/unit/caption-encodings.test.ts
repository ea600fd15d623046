import { expect, test } from 'vitest'
import {
  asUtf8,
  ENCODINGS,
  guessEncoding,
  previewLines,
  readForeignBytes,
} from '#client/create/studio/captions/encodings.ts'
import { decodeCaptions } from '#server/video/caption-text/decode-captions.ts'
import { parseCaptions } from '#server/video/caption-text/parse-captions.ts'

/** What is said, in bytes as an editor on a computer of that language saves it. */
const SAID: [encoding: string, language: string, words: string, hex: string][] = [
  ['windows-1250', 'pl', 'Zażółć gęślą jaźń', '5a61bff3b3e62067ea9c6cb9206a619ff1'],
  ['windows-1251', 'bg', 'Привет, команда', 'cff0e8e2e5f22c20eaeeece0ede4e0'],
  ['windows-1252', 'fr', 'Größe, déjà vu – “GG”', '4772f6df652c2064e96ae020767520962093474794'],
  ['koi8-r', '', 'Привет, команда', 'f0d2c9d7c5d42c20cbcfcdc1cec4c1'],
  ['windows-1253', 'el', 'Καλησπέρα', 'cae1ebe7f3f0ddf1e1'],
  ['windows-1254', 'tr', 'İyi oyunlar, şampiyon', 'dd7969206f79756e6c61722c20fe616d7069796f6e'],
  ['windows-1255', 'he', 'שלום לכולם', 'f9ece5ed20ecebe5eced'],
  ['windows-1256', 'ur', 'مرحبا بكم', 'e3d1cdc8c720c8dfe3'],
  ['windows-1257', 'lt', 'Šeši žaidėjai', 'd065f06920fe616964eb6a6169'],
  ['windows-1258', 'vi', 'Cám ơn', '43e16d20f56e'],
  ['windows-874', 'th', 'สวัสดี', 'cac7d1cab4d5'],
  ['shift_jis', 'ja', 'ナイスショット、表示', '83698343835883568387836283678141955c8ea6'],
  ['euc-kr', 'ko', '안녕하세요', 'bec8b3e7c7cfbcbcbfe4'],
  ['gb18030', 'zh-CN', '不道德公会 第3集', 'b2bbb5c0b5c2b9abbbe120b5da33bcaf'],
  ['big5', 'zh-Hant-TW', '不道德公會 第3集', 'a4a3b944bc77a4bdb77c20b2c433b6b0'],
]

const fileOf = (...parts: (string | Buffer)[]) =>
  new File(
    parts.map((part) => new Uint8Array(Buffer.from(part))),
    'words.srt',
  )
const TIME = '1\r\n00:00:01,000 --> 00:00:02,000\r\n'

test('every encoding on offer is tried here', () => {
  expect(SAID.map(([encoding]) => encoding).sort()).toEqual(
    ENCODINGS.map(({ value }) => value).sort(),
  )
})

test.each(SAID)('a file in %s (%s) is read, previewed and sent as “%s”', async (...said) => {
  const [encoding, language, words, hex] = said
  const file = fileOf(TIME, Buffer.from(hex, 'hex'), '\r\n')
  const bytes = await readForeignBytes(file)
  if (!bytes) throw new Error('It was taken for UTF-8.')
  expect(previewLines(bytes, encoding)).toBe(words)
  if (language) expect(guessEncoding(language)).toBe(encoding)
  const sent = Buffer.from(await asUtf8(file, bytes, encoding).arrayBuffer())
  expect(parseCaptions(decodeCaptions(sent)).text).toContain(`02.000\n${words}\n`)
})

test('the preview has the first three lines that depend on the encoding', async () => {
  const words = ['Hi', 'Ä', 'b', 'Ö', 'Ü', 'ß'].join('\r\n')
  const bytes = await readForeignBytes(fileOf(TIME, Buffer.from(words, 'latin1')))
  expect(bytes && previewLines(bytes, 'windows-1252')).toBe('Ä\nÖ\nÜ')
})

test.each([
  ['UTF-8', Buffer.from('Привет')],
  ['UTF-8 with a mark', Buffer.from('\uFEFFПривет')],
  ['UTF-16', Buffer.from('\uFEFFПривет', 'utf16le')],
  ['UTF-16 of the other order', Buffer.from('\uFEFFПривет', 'utf16le').swap16()],
  ['UTF-16 without a mark', Buffer.from('WEBVTT', 'utf16le')],
  ['ASCII', Buffer.from('Hello')],
  ['an empty file', Buffer.alloc(0)],
])('%s asks for no encoding', async (_, bytes) => {
  expect(await readForeignBytes(fileOf(bytes))).toBeUndefined()
})
