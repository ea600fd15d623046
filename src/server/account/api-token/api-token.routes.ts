import type { RestRoute } from '#server/platform/http/rest-adapter.ts'

export const apiTokenRoutes = [
  {
    method: 'DELETE',
    path: '/token',
    procedure: 'apiToken.revokeOwn',
    summary: 'Revoke the API token that the request is sent with.',
    signedIn: true,
    failures: [400, 401],
    status: 204,
  },
] as const satisfies readonly RestRoute[]
