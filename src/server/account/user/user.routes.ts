import type { RestRoute } from '#server/platform/http/rest-adapter.ts'

export const userRoutes = [
  {
    method: 'GET',
    path: '/users/:id',
    procedure: 'user.get',
    summary: 'A channel.',
    failures: [400, 404],
  },
] as const satisfies readonly RestRoute[]
