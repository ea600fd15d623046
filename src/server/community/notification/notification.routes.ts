import type { RestRoute } from '#server/platform/http/rest-adapter.ts'

export const notificationRoutes = [
  {
    method: 'GET',
    path: '/users/:userId/notifications',
    procedure: 'notification.list',
    summary: 'One’s own notifications.',
    signedIn: true,
    failures: [400, 401, 403],
    paged: true,
  },
  {
    method: 'PATCH',
    path: '/notifications/:id/read',
    procedure: 'notification.markRead',
    summary: 'Mark a notification as read.',
    signedIn: true,
    failures: [400, 401, 404],
  },
  {
    method: 'PATCH',
    path: '/users/:userId/notifications/read-all',
    procedure: 'notification.markAllRead',
    summary: 'Mark all of one’s notifications as read.',
    signedIn: true,
    failures: [400, 401, 403],
  },
  {
    method: 'DELETE',
    path: '/notifications/:id',
    procedure: 'notification.delete',
    summary: 'Delete a notification.',
    signedIn: true,
    failures: [400, 401, 404],
    status: 204,
  },
] as const satisfies readonly RestRoute[]
