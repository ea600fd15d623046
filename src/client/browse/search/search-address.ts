import type { Category } from '#shared/limits.ts'
import type { SearchSort } from '#shared/schemas/search.schemas.ts'

export type SearchAddress = {
  q?: string
  category?: Category
  /** Relevance when it is not there. */
  sort?: Exclude<SearchSort, 'relevance'>
}

/** What is asked of the server for an address; undefined when there is nothing to search for. */
export function toSearchInput({ q, category, sort }: SearchAddress) {
  const query = q?.trim()
  return query ? { q: query, category, sort } : undefined
}

export function toSort(value: unknown): SearchAddress['sort'] {
  return value === 'date' || value === 'views' ? value : undefined
}
