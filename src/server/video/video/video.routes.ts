import type { RestRoute } from '#server/platform/http/rest-adapter.ts'

export const videoRoutes = [
  {
    method: 'GET',
    path: '/videos',
    procedure: 'video.list',
    summary: 'The newest videos.',
    failures: [],
    paged: true,
  },
  {
    method: 'GET',
    path: '/videos/:id',
    procedure: 'video.get',
    summary: 'One video.',
    failures: [400, 404],
  },
  {
    method: 'GET',
    path: '/videos/category/:category',
    procedure: 'video.listByCategory',
    summary: 'The newest videos of a category.',
    failures: [404],
    paged: true,
  },
  {
    method: 'GET',
    path: '/users/:id/videos',
    procedure: 'video.listByUser',
    summary: 'The videos of a channel; its owner and admins also get those that are not public.',
    failures: [400, 404],
    paged: true,
  },
  {
    method: 'GET',
    path: '/categories',
    procedure: 'video.categories',
    summary: 'The names of the categories.',
    failures: [],
  },
  {
    method: 'PATCH',
    path: '/videos/:id',
    procedure: 'video.edit',
    summary: 'Change what one’s own video says; fields that are left out stay.',
    signedIn: true,
    failures: [400, 401, 403, 404, 409],
  },
  {
    method: 'DELETE',
    path: '/videos/:id',
    procedure: 'video.delete',
    summary: 'Delete a video.',
    signedIn: true,
    failures: [400, 401, 403, 404],
    status: 204,
  },
] as const satisfies readonly RestRoute[]
