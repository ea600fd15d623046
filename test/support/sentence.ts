import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

/** Expects an error as the documented client shows it: one plain sentence, nothing internal. */
export function expectSentence(
  answer: LightMyRequestResponse,
  expected: { status: number; naming?: string | RegExp },
): void {
  const { statusCode: status, body } = answer
  expect({ status, body }).toEqual({ status: expected.status, body: expect.anything() })
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  expectPlain(body)
  if (expected.naming) expect(body).toMatch(new RegExp(expected.naming, 'i'))
}

export function expectPlain(sentence: string): void {
  expect(sentence).toMatch(/^[A-Za-z'"][^\n<>{}]{3,199}$/)
  expect(sentence).not.toMatch(/SQLITE|undefined|\bError\b|node_modules|Zod|FST_|\bat \//)
}
