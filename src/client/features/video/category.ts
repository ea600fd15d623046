import { CATEGORIES, type Category } from '#shared/limits.ts'

/** The category that an address names, if there is such a one. */
export function toCategory(value: unknown): Category | undefined {
  return CATEGORIES.find((category) => category === value)
}
