import type { RestRoute } from '../http/rest-scope.ts'

export const commentRoutes: RestRoute[] = [
  { method: 'GET', path: '/videos/:id/comments', procedure: 'comment.list', paged: true },
  { method: 'POST', path: '/comments', procedure: 'comment.create', status: 201 },
]
