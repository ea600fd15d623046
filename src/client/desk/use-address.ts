import { useNavigate, useSearch } from '@tanstack/react-router'
import { type AdminSearch, toAdminSearch } from './admin-search.ts'

/** Search parameters used as filters. */
export function useAddress() {
  const search = toAdminSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (changed: AdminSearch) => {
    const next = toAdminSearch({ ...search, ...changed })
    void navigate({ to: '.', search: next as never, replace: true, resetScroll: false })
  }
  return { search, change }
}

/** The first value for unknown ones. */
export function oneOf<Value extends string>(
  values: readonly Value[],
  value: string | undefined,
): Value {
  return values.find((known) => known === value) ?? (values[0] as Value)
}
