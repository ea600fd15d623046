import { CATEGORY_MAX, type Category } from '#shared/limits.ts'

/** The category that an address names, if it can be one; whether the site has it, the server says. */
export function toCategory(value: unknown): Category | undefined {
  const isName = typeof value === 'string' && value !== '' && value.length <= CATEGORY_MAX
  return isName ? value : undefined
}
