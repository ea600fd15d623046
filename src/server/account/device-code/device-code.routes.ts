import type { RestRoute } from '#server/platform/http/rest-adapter.ts'

const NO_STORE = { 'cache-control': 'no-store' }

export const deviceCodeRoutes = [
  {
    method: 'POST',
    path: '/device/code',
    procedure: 'deviceCode.request',
    summary:
      'Ask for an upload token. The member approves it in the browser, at `verificationUriComplete`, within ten minutes.',
    failures: [400, 429],
    headers: NO_STORE,
  },
  {
    method: 'POST',
    path: '/device/token',
    procedure: 'deviceCode.claim',
    summary:
      'Fetch the token, once; `pending` until the member has approved it, and 404 if the member refused or the code has expired. Ask every `interval` seconds.',
    failures: [400, 403, 404, 409, 429],
    headers: NO_STORE,
  },
] as const satisfies readonly RestRoute[]
