import { test } from 'vitest'
import { isLongForm } from './long-selection.ts'

export { isLongForm }

/** Of cases, each with its name in front, those that are named; all of them in the long form. */
export function quickCases<Case extends readonly [string, ...unknown[]]>(
  cases: readonly Case[],
  names: string[],
): Case[] {
  const unknown = names.filter((name) => !cases.some(([known]) => known === name))
  if (unknown.length > 0) throw new Error(`There is no case named ${unknown.join(', ')}.`)
  return cases.filter(([name]) => isLongForm || names.includes(name))
}

/** A test that only the long form runs. */
export const longTest = test.runIf(isLongForm)
