import type { Category } from '#shared/limits.ts'
import type { SearchSort } from '#shared/schemas/search.schemas.ts'

export type SearchAddress = {
  q?: string
  category?: Category
  /** Relevance by default. */
  sort?: Exclude<SearchSort, 'relevance'>
}

/** Undefined without a query. */
export function toSearchInput({ q, category, sort }: SearchAddress) {
  const query = q?.trim()
  return query ? { q: query, category, sort } : undefined
}

export function toSort(value: unknown): SearchAddress['sort'] {
  return value === 'date' || value === 'views' ? value : undefined
}
