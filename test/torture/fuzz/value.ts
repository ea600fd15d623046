/**
 * A value on its way into JSON or an address. Unlike a plain object, `fields` may name a key twice or
 * be called `__proto__`; a `token` goes into the JSON as it is.
 */
export type Value =
  | string
  | number
  | boolean
  | null
  | Value[]
  | { fields: [string, Value][] }
  | { token: string }

export function toJson(value: Value): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`
  if ('token' in value) return value.token
  return `{${value.fields.map(([key, one]) => `${JSON.stringify(key)}:${toJson(one)}`).join(',')}}`
}

/** As it stands in an address or in a form's field. */
export function toText(value: Value): string {
  return typeof value === 'string' ? value : toJson(value)
}

/** Percent-encoded; half of a character becomes the three bytes that no UTF-8 has. */
export function toUrlText(value: Value): string {
  const text = toText(value)
  if (text.isWellFormed()) return encodeURIComponent(text)
  return [...text]
    .map((character) =>
      character.isWellFormed() ? encodeURIComponent(character) : surrogateBytes(character),
    )
    .join('')
}

function surrogateBytes(half: string): string {
  const code = half.charCodeAt(0)
  return `%${(0xe0 | (code >> 12)).toString(16)}%${(0x80 | ((code >> 6) & 0x3f)).toString(16)}%${(0x80 | (code & 0x3f)).toString(16)}`
}
