import type { RestRoute } from '#server/platform/http/rest-adapter.ts'

export const commentRoutes = [
  {
    method: 'GET',
    path: '/videos/:id/comments',
    procedure: 'comment.list',
    summary: 'The comments of a video, each with its first replies.',
    failures: [400, 404],
    paged: true,
    appOnly: ['postId'],
  },
  {
    method: 'GET',
    path: '/comments/:id/replies',
    summary: 'The replies to a comment, oldest first.',
    procedure: 'comment.replies',
    failures: [400, 404],
    paged: true,
  },
  {
    method: 'POST',
    path: '/comments',
    procedure: 'comment.create',
    summary: 'Comment on a video, a clip or a post, or reply with `parentId`.',
    signedIn: true,
    failures: [400, 401, 403, 404, 429],
    status: 201,
  },
] as const satisfies readonly RestRoute[]
