import type { RestRoute } from '../http/rest-scope.ts'

export const videoRoutes: RestRoute[] = [
  { method: 'GET', path: '/videos', procedure: 'video.list', paged: true },
  { method: 'GET', path: '/videos/:id', procedure: 'video.get' },
  {
    method: 'GET',
    path: '/videos/category/:category',
    procedure: 'video.listByCategory',
    paged: true,
  },
  { method: 'GET', path: '/users/:id/videos', procedure: 'video.listByUser', paged: true },
  { method: 'GET', path: '/categories', procedure: 'video.categories' },
  { method: 'PATCH', path: '/videos/:id', procedure: 'video.edit' },
  { method: 'DELETE', path: '/videos/:id', procedure: 'video.delete', status: 204 },
]
