import type { RestRoute } from '../http/rest-scope.ts'

export const searchRoutes: RestRoute[] = [
  { method: 'GET', path: '/search', procedure: 'search.videos', paged: true },
]
