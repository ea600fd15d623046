import fc, { type Arbitrary } from 'fast-check'
import { HOSTILE_TOKENS } from './hostile-values.ts'
import { type Making, sometimes } from './schema-arbitrary.ts'

/** JSON in which a scalar may be what `JSON.stringify` never writes, or a key be there twice. */
export function jsonText(value: Arbitrary<unknown>, { wrong }: Making): Arbitrary<string> {
  const json = value.map((one) => JSON.stringify(one) ?? '')
  const broken = fc
    .tuple(json, fc.constantFrom(...HOSTILE_TOKENS), fc.boolean())
    .map(([whole, token, doubles]) =>
      doubles
        ? whole.replace(/^\{("[^"]*"):/, (head, key) => `{${key}:${token},${head.slice(1)}`)
        : whole.replace(/(?<=[:[])("[^"]*"|[\w.-]+)(?=[,}\]])/, () => token),
    )
  return sometimes(wrong / 2, broken, json)
}

/** As it stands in a form's field. */
export const toText = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** Percent-encoded; half of a character becomes the three bytes that no UTF-8 has. */
export function toUrlText(value: unknown): string {
  return [...toText(value)]
    .map((character) =>
      character.isWellFormed() ? encodeURIComponent(character) : surrogateBytes(character),
    )
    .join('')
}

function surrogateBytes(half: string): string {
  const code = half.charCodeAt(0)
  const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
  return bytes.map((byte) => `%${byte.toString(16)}`).join('')
}
