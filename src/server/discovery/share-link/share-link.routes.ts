import type { RestRoute } from '#server/platform/http/rest-adapter.ts'

export const shareLinkRoutes = [
  {
    method: 'GET',
    path: '/share-links',
    procedure: 'shareLink.list',
    summary: 'The share links to one of your videos or playlists; those that work come first.',
    signedIn: true,
    peopleOnly: true,
    failures: [400, 401, 403, 404],
    headers: { 'cache-control': 'no-store' },
  },
  {
    method: 'POST',
    path: '/share-links',
    procedure: 'shareLink.create',
    summary: 'Make a link that opens one of your videos or playlists to whoever has it.',
    signedIn: true,
    failures: [400, 401, 403, 404, 409, 429],
    status: 201,
    headers: { 'cache-control': 'no-store' },
  },
  {
    method: 'DELETE',
    path: '/share-links/:id',
    procedure: 'shareLink.revoke',
    summary: 'End a share link at once; again changes nothing.',
    signedIn: true,
    failures: [400, 401, 404],
    status: 204,
  },
] as const satisfies readonly RestRoute[]
