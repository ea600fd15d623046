import { type FileHead, kindNamed, picture } from './file-head.ts'

const TEXT_BYTES = 4096

const CONTROL = /[^\P{Cc}\t\n\f\r]/u

const playlist = (format: string) => kindNamed('a playlist', format)
const captions = (format: string) => kindNamed('a file of captions', format)

const KINDS: readonly [RegExp, string][] = [
  [/^#EXTM3U/, playlist('M3U8')],
  [/^\[playlist\]/i, playlist('PLS')],
  [/^ffconcat version/, playlist('ffconcat')],
  [/<MPD[\s>]/, playlist('MPEG-DASH')],
  [/^<asx[\s>]/i, playlist('ASX')],
  [/<smil[\s>]/i, playlist('SMIL')],
  [/<playlist[\s>]/, playlist('XSPF')],
  [/^v=0\r?\no=/, kindNamed('a description of a stream', 'SDP')],
  [/^\[InternetShortcut\]/i, kindNamed('a shortcut', 'URL')],
  [/^\[Desktop Entry\]/, kindNamed('a shortcut', 'desktop entry')],
  [/^<[\s\S]*<key>URL<\/key>/, kindNamed('a shortcut', 'webloc')],
  [/^WEBVTT/, captions('WebVTT')],
  [/^\d+\s*\n\d+:\d\d:\d\d[,.]?\d* *-->/, captions('SubRip')],
  [/^\[Script Info\]/, captions('ASS')],
  [/^<[\s\S]*?html[\s>]/i, kindNamed('a web page', 'HTML')],
  [/^<[\s\S]*?svg[\s>]/i, picture('SVG')],
]

export function describeText({ bytes, text }: FileHead): string | null {
  const words = readText(bytes.subarray(0, TEXT_BYTES), text)?.trimStart()
  if (!words) return null
  return KINDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'a text file'
}

function readText(bytes: Uint8Array, text: string): string | null {
  const encoding = { ÿþ: 'utf-16le', þÿ: 'utf-16be' }[text.slice(0, 2)] ?? 'utf-8'
  try {
    const words = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
    return CONTROL.test(words) ? null : words
  } catch {
    // In older code pages at most a quarter of a line is beyond ASCII.
    const line = text.slice(0, TEXT_BYTES)
    const foreign = line.match(/[\x80-\xff]/g)?.length ?? 0
    return foreign * 4 > line.length || CONTROL.test(line.replaceAll(/[\x80-\x9f]/g, ''))
      ? null
      : line
  }
}
