import type { RestRoute } from '../http/rest-scope.ts'

export const notificationRoutes: RestRoute[] = [
  {
    method: 'GET',
    path: '/users/:userId/notifications',
    procedure: 'notification.list',
    signedIn: true,
    failures: [400, 401, 403],
    paged: true,
  },
  {
    method: 'PATCH',
    path: '/notifications/:id/read',
    procedure: 'notification.markRead',
    signedIn: true,
    failures: [400, 401, 404],
  },
  {
    method: 'PATCH',
    path: '/users/:userId/notifications/read-all',
    procedure: 'notification.markAllRead',
    signedIn: true,
    failures: [400, 401, 403],
  },
  {
    method: 'DELETE',
    path: '/notifications/:id',
    procedure: 'notification.delete',
    signedIn: true,
    failures: [400, 401, 404],
    status: 204,
  },
]
