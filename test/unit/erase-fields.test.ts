import { expect, test } from 'vitest'
import { eraseFields } from '#server/desk/import/erase-fields.ts'

const SECRET = 'hunter2'

function erase(text: string): string {
  const bytes = Buffer.from(text)
  eraseFields(bytes, ['passwords', 'streamKey'])
  return bytes.toString()
}

test.each([
  ['a text', `"${SECRET}"`],
  ['a text with quotes and brackets', `"]},\\"${SECRET}\\\\"`],
  ['a list', `["${SECRET}", "a]b", ["${SECRET}"]]`],
  ['an object', `{"a": {"b": ["${SECRET}}"]}, "passwords": "${SECRET}"}`],
  ['an empty list', '[]'],
  ['a number', '7'],
  ['null', 'null'],
])('%s is erased, and the fields around it stay', (_, value) => {
  const around = { name: 'The "passwords": are here', tags: ['passwords', 'streamKey'] }
  const [start, end] = [JSON.stringify(around).slice(0, -1), '"more": [1, 2], "last": {"a": "b"}}']
  for (const name of ['passwords', 'streamKey']) {
    const erased = erase(`${start}, "${name}" :\n ${value} , ${end}`)
    expect(erased).not.toContain(SECRET)
    expect(JSON.parse(erased)).toEqual({ ...around, [name]: 0, more: [1, 2], last: { a: 'b' } })
  }
})

test('text without these fields stays, and a document that is cut off ends the search', () => {
  const text = JSON.stringify({ password: 'kept', list: [{ passwordsX: [1] }] })
  expect(erase(text)).toBe(text)
  expect(erase(`{"passwords": ["${SECRET}", "`)).not.toContain(SECRET)
  expect(erase('{"passwords"')).toBe('{"passwords"')
})
