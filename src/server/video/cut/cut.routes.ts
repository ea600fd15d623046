import type { RestRoute } from '#server/platform/http/rest-adapter.ts'

export const cutRoutes = [
  {
    method: 'POST',
    path: '/videos/:videoId/cut',
    procedure: 'cut.start',
    summary: 'Cut one’s own video, to a new one or in its place.',
    signedIn: true,
    failures: [400, 401, 403, 404, 409, 413, 507],
    status: 202,
  },
  {
    method: 'POST',
    path: '/clips/:clipId/video',
    procedure: 'cut.saveClip',
    summary: 'Make a video of a clip.',
    signedIn: true,
    failures: [400, 401, 403, 404, 409, 413, 507],
    status: 202,
  },
  {
    method: 'GET',
    path: '/videos/:videoId/cut',
    procedure: 'cut.state',
    summary:
      'How far the cut of one’s own video is, and until when the old recording can be brought back.',
    signedIn: true,
    failures: [400, 401, 403, 404],
  },
  {
    method: 'POST',
    path: '/videos/:videoId/cut/bring-back',
    procedure: 'cut.bringBack',
    summary: 'Bring back the recording from before the last cut.',
    signedIn: true,
    failures: [400, 401, 403, 404, 409],
    status: 204,
  },
  {
    method: 'DELETE',
    path: '/videos/:videoId/cut/old',
    procedure: 'cut.forgetOld',
    summary: 'Delete the recording from before the cuts now.',
    signedIn: true,
    failures: [400, 401, 403, 404, 409],
    status: 204,
  },
] as const satisfies readonly RestRoute[]
