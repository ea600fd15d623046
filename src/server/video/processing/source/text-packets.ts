const escapeMarkup = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export function readPlainText(data: Buffer): string[] {
  return [data.toString('utf8')]
}

/** Before the text. */
const assFields = 8

/**
 * Braces hold styles; text after `\p1` is a drawing.
 * https://www.matroska.org/technical/subtitles.html
 */
export function readAssText(data: Buffer): string[] {
  const words = data.toString('utf8').split(',').slice(assFields).join(',')
  const [first = '', ...parts] = words.split('{')
  let text = first
  let isDrawing = false
  for (const part of parts) {
    const end = part.indexOf('}')
    const scale = end < 0 ? undefined : /\\p(\d)/.exec(part.slice(0, end))?.[1]
    if (scale !== undefined) isDrawing = scale !== '0'
    if (!isDrawing) text += end < 0 ? `{${part}` : part.slice(end + 1)
  }
  return [escapeMarkup(text).replaceAll(/\\n/gi, '\n').replaceAll('\\h', ' ')]
}

/** 3GPP TS 26.245. */
export function readMovText(data: Buffer): string[] {
  if (data.length < 2) return []
  const words = data.subarray(2, 2 + data.readUInt16BE(0))
  const mark = words.length >= 2 ? words.readUInt16BE(0) : 0
  const encoding = { 65279: 'utf-16be', 65534: 'utf-16le' }[mark] ?? 'utf-8'
  return [escapeMarkup(new TextDecoder(encoding).decode(words))]
}

/** ISO/IEC 14496-30: a box per cue. */
export function readMp4WebVtt(data: Buffer): string[] {
  return [...listBoxes(data)]
    .filter(({ type }) => type === 'vttc')
    .flatMap(({ content }) => [...listBoxes(content)])
    .filter(({ type }) => type === 'payl')
    .map(({ content }) => content.toString('utf8'))
}

function* listBoxes(data: Buffer): Generator<{ type: string; content: Buffer }> {
  for (let at = 0; at + 8 <= data.length; ) {
    const size = data.readUInt32BE(at)
    if (size < 8 || at + size > data.length) return
    const type = data.toString('latin1', at + 4, at + 8)
    yield { type, content: data.subarray(at + 8, at + size) }
    at += size
  }
}
