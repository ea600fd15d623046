const [QUOTE, BACKSLASH, COLON, SPACE, ZERO] = [0x22, 0x5c, 0x3a, 0x20, 0x30]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]
const WHITESPACE = [SPACE, 0x09, 0x0a, 0x0d]

/**
 * Overwrites the values of the named fields with 0 and spaces, so that no secret of a JSON document is ever parsed. Text that is no valid JSON is left to
 * the parser.
 */
export function eraseFields(json: Buffer, names: readonly string[]): void {
  const keys = names.map((name) => Buffer.from(`"${name}"`))
  for (let at = json.indexOf(QUOTE); at !== -1; at = json.indexOf(QUOTE, at)) {
    const end = endOfText(json, at)
    const isKey = keys.some((key) => key.equals(json.subarray(at, end)))
    at = end
    if (!isKey) continue
    const colon = afterWhitespace(json, end)
    if (json[colon] !== COLON) continue
    const start = afterWhitespace(json, colon + 1)
    at = endOfValue(json, start)
    if (at > start) json.fill(SPACE, start, at).fill(ZERO, start, start + 1)
  }
}

function afterWhitespace(json: Buffer, from: number): number {
  let at = from
  while (WHITESPACE.includes(json[at] ?? 0)) at++
  return at
}

/** @returns the position after the closing quote */
function endOfText(json: Buffer, quote: number): number {
  for (let at = quote + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++
    else if (json[at] === QUOTE) return at + 1
  }
  return json.length
}

function endOfValue(json: Buffer, start: number): number {
  let depth = 0
  let at = start
  while (at < json.length) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfText(json, at)
    else {
      if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth--
      if (depth < 0) return at
      if (byte === OPEN_BRACKET || byte === OPEN_BRACE) depth++
      at++
    }
    const next = json[at]
    const isEnd = depth === 0 && (next === 0x2c || next === CLOSE_BRACKET || next === CLOSE_BRACE)
    if (isEnd) return at
  }
  return json.length
}
