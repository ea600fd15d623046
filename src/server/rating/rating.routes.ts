import type { RestRoute } from '../http/rest-scope.ts'

export const ratingRoutes: RestRoute[] = [
  { method: 'POST', path: '/likes', procedure: 'rating.set' },
]
