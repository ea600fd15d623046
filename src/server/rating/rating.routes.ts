import type { RestRoute } from '../http/rest-scope.ts'

export const ratingRoutes: RestRoute[] = [
  {
    method: 'POST',
    path: '/likes',
    procedure: 'rating.set',
    signedIn: true,
    failures: [400, 401, 403, 404, 429],
  },
]
