import type { RestRoute } from '#server/platform/http/rest-adapter.ts'

export const searchRoutes = [
  {
    method: 'GET',
    path: '/search',
    procedure: 'search.videos',
    summary: 'Find videos by title, tags, description and channel.',
    failures: [400],
    paged: true,
  },
] as const satisfies readonly RestRoute[]
