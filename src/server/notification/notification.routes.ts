import type { RestRoute } from '../http/rest-scope.ts'

export const notificationRoutes: RestRoute[] = [
  {
    method: 'GET',
    path: '/users/:userId/notifications',
    procedure: 'notification.list',
    paged: true,
  },
  { method: 'PATCH', path: '/notifications/:id/read', procedure: 'notification.markRead' },
  {
    method: 'PATCH',
    path: '/users/:userId/notifications/read-all',
    procedure: 'notification.markAllRead',
  },
  { method: 'DELETE', path: '/notifications/:id', procedure: 'notification.delete', status: 204 },
]
