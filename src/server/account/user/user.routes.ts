import type { RestRoute } from '#server/platform/http/rest-scope.ts'

export const userRoutes: RestRoute[] = [
  {
    method: 'GET',
    path: '/users/:id',
    procedure: 'user.get',
    summary: 'A channel.',
    failures: [400, 404],
  },
]
