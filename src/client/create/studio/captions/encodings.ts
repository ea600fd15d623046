/** Names of the Encoding Standard, supported by every TextDecoder. */
export const ENCODINGS = [
  { value: 'windows-1252', label: 'Western European (Windows-1252)' },
  { value: 'windows-1250', label: 'Central European (Windows-1250)' },
  { value: 'windows-1251', label: 'Cyrillic (Windows-1251)' },
  { value: 'koi8-r', label: 'Cyrillic (KOI8-R)' },
  { value: 'windows-1253', label: 'Greek (Windows-1253)' },
  { value: 'windows-1254', label: 'Turkish (Windows-1254)' },
  { value: 'windows-1255', label: 'Hebrew (Windows-1255)' },
  { value: 'windows-1256', label: 'Arabic (Windows-1256)' },
  { value: 'windows-1257', label: 'Baltic (Windows-1257)' },
  { value: 'windows-1258', label: 'Vietnamese (Windows-1258)' },
  { value: 'windows-874', label: 'Thai (Windows-874)' },
  { value: 'shift_jis', label: 'Japanese (Shift JIS)' },
  { value: 'euc-kr', label: 'Korean (EUC-KR)' },
  { value: 'gb18030', label: 'Simplified Chinese (GB18030)' },
  { value: 'big5', label: 'Traditional Chinese (Big5)' },
]

const BY_LANGUAGE: Record<string, string> = {
  ar: 'windows-1256',
  az: 'windows-1254',
  be: 'windows-1251',
  bg: 'windows-1251',
  bs: 'windows-1250',
  cs: 'windows-1250',
  el: 'windows-1253',
  et: 'windows-1257',
  fa: 'windows-1256',
  he: 'windows-1255',
  hr: 'windows-1250',
  hu: 'windows-1250',
  ja: 'shift_jis',
  ko: 'euc-kr',
  lt: 'windows-1257',
  lv: 'windows-1257',
  mk: 'windows-1251',
  pl: 'windows-1250',
  ro: 'windows-1250',
  ru: 'windows-1251',
  sk: 'windows-1250',
  sl: 'windows-1250',
  sr: 'windows-1251',
  th: 'windows-874',
  tr: 'windows-1254',
  uk: 'windows-1251',
  ur: 'windows-1256',
  vi: 'windows-1258',
  zh: 'gb18030',
}
const PREVIEW_LINES = 3
const OUTSIDE_ASCII = /\P{ASCII}/u

/** Legacy encoding of a language. */
export function guessEncoding(language: string): string {
  if (/^zh-(hant|tw|hk)/i.test(language)) return 'big5'
  return BY_LANGUAGE[language.slice(0, 2).toLowerCase()] ?? 'windows-1252'
}

/** @returns undefined for UTF-8 and UTF-16 */
export async function readForeignBytes(file: File): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  // UTF-16 has a byte order mark, or a zero byte beside its first letter.
  const [first = 0, second = 0] = bytes
  const isUtf16 = first === 0 || second === 0 || (first === 0xff && second === 0xfe)
  if (isUtf16 || (first === 0xfe && second === 0xff)) return
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes
  }
}

/** The first lines that depend on the encoding. */
export function previewLines(bytes: Uint8Array<ArrayBuffer>, encoding: string): string {
  const lines = new TextDecoder(encoding).decode(bytes).split(/[\r\n]+/)
  return lines
    .filter((line) => OUTSIDE_ASCII.test(line))
    .slice(0, PREVIEW_LINES)
    .join('\n')
}

export function asUtf8(file: File, bytes: Uint8Array<ArrayBuffer>, encoding: string): File {
  return new File([new TextDecoder(encoding).decode(bytes)], file.name, { type: file.type })
}
