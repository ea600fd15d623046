import { useNavigate, useSearch } from '@tanstack/react-router'

/** What the addresses of the admin's pages carry. */
export type AdminSearch = {
  q?: string
  show?: string
  sort?: string
  state?: string
  action?: string
  days?: string
}

const NAMES = ['q', 'show', 'sort', 'state', 'action', 'days'] as const

export function toAdminSearch(search: Record<string, unknown>): AdminSearch {
  const found = NAMES.flatMap((name) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  return Object.fromEntries(found)
}

/** The filters of a page, which the address holds, and how to change them. */
export function useAddress() {
  const search = toAdminSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (changed: AdminSearch) => {
    const next = toAdminSearch({ ...search, ...changed })
    void navigate({ to: '.', search: next as never, replace: true, resetScroll: false })
  }
  return { search, change }
}

/** One of the values that a filter knows, or the first. */
export function oneOf<Value extends string>(
  values: readonly Value[],
  value: string | undefined,
): Value {
  return values.find((known) => known === value) ?? (values[0] as Value)
}
