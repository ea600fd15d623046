import type { RestRoute } from '#server/platform/http/rest-adapter.ts'

export const montageRoutes = [
  {
    method: 'POST',
    path: '/montages',
    procedure: 'montage.start',
    summary: 'Make one private video of up to 10 minutes of clips or stretches of videos.',
    signedIn: true,
    failures: [400, 401, 403, 404, 409, 413, 507],
    status: 202,
  },
] as const satisfies readonly RestRoute[]
