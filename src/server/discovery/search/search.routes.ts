import type { RestRoute } from '#server/platform/http/rest-scope.ts'

export const searchRoutes: RestRoute[] = [
  {
    method: 'GET',
    path: '/search',
    procedure: 'search.videos',
    summary: 'Find videos by title, tags, description and channel.',
    failures: [400],
    paged: true,
  },
]
