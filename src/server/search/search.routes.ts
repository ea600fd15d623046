import type { RestRoute } from '../http/rest-scope.ts'

export const searchRoutes: RestRoute[] = [
  { method: 'GET', path: '/search', procedure: 'search.videos', failures: [400], paged: true },
]
