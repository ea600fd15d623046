import { expect, test } from 'vitest'
import { createAskedAgain } from '#server/http/asked-again.ts'

test('what was asked is known for a thousand questions at least, and not for ever', () => {
  const isAskedAgain = createAskedAgain()
  expect(isAskedAgain('first')).toBe(false)
  expect(isAskedAgain('first')).toBe(true)
  for (let at = 0; at < 1000; at++) expect(isAskedAgain(`${at}`)).toBe(false)
  expect(isAskedAgain('first')).toBe(true)
  for (let at = 1000; at < 3000; at++) expect(isAskedAgain(`${at}`)).toBe(false)
  expect(isAskedAgain('first')).toBe(false)
})

test('an endless address is not remembered', () => {
  const isAskedAgain = createAskedAgain()
  for (let again = 0; again < 3; again++) expect(isAskedAgain('a'.repeat(301))).toBe(false)
})
