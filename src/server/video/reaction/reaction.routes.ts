import type { RestRoute } from '#server/platform/http/rest-adapter.ts'

export const reactionRoutes = [
  {
    method: 'GET',
    path: '/videos/:id/reactions',
    procedure: 'reaction.list',
    summary: 'How many reactions of each kind the parts of a video have, without names.',
    failures: [400, 404],
  },
  {
    method: 'POST',
    path: '/videos/:id/reactions',
    procedure: 'reaction.react',
    summary: 'React to a second of a video, once a second and at most 30 times.',
    signedIn: true,
    failures: [400, 401, 403, 404, 409, 422, 429],
    status: 201,
  },
] as const satisfies readonly RestRoute[]
