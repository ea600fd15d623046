import type { RestRoute } from '#server/platform/http/rest-scope.ts'

export const ratingRoutes: RestRoute[] = [
  {
    method: 'POST',
    path: '/likes',
    procedure: 'rating.set',
    summary: 'Like or dislike a video or a comment; the same again changes nothing.',
    signedIn: true,
    failures: [400, 401, 403, 404, 429],
  },
]
