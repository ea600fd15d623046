/** Search parameters of the desk. */
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
