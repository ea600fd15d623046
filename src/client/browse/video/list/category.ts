import { CATEGORY_MAX, type Category } from '#shared/limits.ts'

/** The server checks that the site has it. */
export function toCategory(value: unknown): Category | undefined {
  const isName = typeof value === 'string' && value !== '' && value.length <= CATEGORY_MAX
  return isName ? value : undefined
}
