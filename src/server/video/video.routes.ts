import type { RestRoute } from '../http/rest-scope.ts'

export const videoRoutes: RestRoute[] = [
  { method: 'GET', path: '/videos', procedure: 'video.list', failures: [], paged: true },
  { method: 'GET', path: '/videos/:id', procedure: 'video.get', failures: [400, 404] },
  {
    method: 'GET',
    path: '/videos/category/:category',
    procedure: 'video.listByCategory',
    failures: [404],
    paged: true,
  },
  {
    method: 'GET',
    path: '/users/:id/videos',
    procedure: 'video.listByUser',
    failures: [400, 404],
    paged: true,
  },
  { method: 'GET', path: '/categories', procedure: 'video.categories', failures: [] },
  {
    method: 'PATCH',
    path: '/videos/:id',
    procedure: 'video.edit',
    signedIn: true,
    failures: [400, 401, 403, 404],
  },
  {
    method: 'DELETE',
    path: '/videos/:id',
    procedure: 'video.delete',
    signedIn: true,
    failures: [400, 401, 403, 404],
    status: 204,
  },
]
