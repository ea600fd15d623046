import type { RestRoute } from '#server/platform/http/rest-adapter.ts'

export const likeRoutes = [
  {
    method: 'POST',
    path: '/likes',
    procedure: 'like.set',
    summary: 'Like or dislike a video or a comment; the same again changes nothing.',
    signedIn: true,
    failures: [400, 401, 403, 404, 429],
  },
] as const satisfies readonly RestRoute[]
