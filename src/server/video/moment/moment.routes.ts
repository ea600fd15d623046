import type { RestRoute } from '#server/platform/http/rest-adapter.ts'

export const momentRoutes = [
  {
    method: 'GET',
    path: '/videos/:id/moments',
    procedure: 'moment.list',
    summary: 'Where a video is worth looking at, in the order of the times.',
    failures: [400, 404],
  },
  {
    method: 'POST',
    path: '/videos/:id/moments',
    procedure: 'moment.mark',
    summary: 'Mark a moment; within 5 seconds of a mark of one’s own it is that one.',
    signedIn: true,
    failures: [400, 401, 404, 409],
    status: 201,
  },
  {
    method: 'POST',
    path: '/videos/:id/moments/forgotten',
    procedure: 'moment.forget',
    summary: 'Take the moment at a time out of the list of one’s own video.',
    signedIn: true,
    failures: [400, 401, 403, 404, 409],
    status: 201,
  },
  {
    method: 'DELETE',
    path: '/videos/:id/moments/timeline',
    procedure: 'moment.removeTimeline',
    summary: 'Take the markers of a timeline from one’s own video.',
    signedIn: true,
    failures: [400, 401, 403, 404],
    status: 204,
  },
  {
    method: 'DELETE',
    path: '/moments/:id',
    procedure: 'moment.unmark',
    summary: 'Take back a mark of one’s own, or bring back a moment that one has forgotten.',
    signedIn: true,
    failures: [400, 401, 404],
    status: 204,
  },
] as const satisfies readonly RestRoute[]
