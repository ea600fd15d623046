import type { ClipOptions } from './clips.ts'

type Source = Omit<ClipOptions, 'path'>

const x264 = (params: string, more: Record<string, string> = {}) => ({
  encoderOptions: { ...more, 'x264-params': params },
})

/** Recordings as the usual recorders write them, by the parameters of their streams, and what else there is. */
export const CUT_SOURCES: [name: string, clip: Source, copies: boolean][] = [
  ['OBS x264', { keyFrameSeconds: 2, ...x264('bframes=2:ref=3', { preset: 'veryfast' }) }, true],
  [
    'OBS hybrid MP4, three tracks',
    { keyFrameSeconds: 2, bFrames: 2, audioTracks: 3, audioLanguages: ['eng', 'deu', 'fra'] },
    true,
  ],
  [
    'x264 with a pyramid',
    { keyFrameSeconds: 3, ...x264('bframes=5:b-pyramid=normal:ref=5') },
    true,
  ],
  ['x264 with open groups', { keyFrameSeconds: 1, ...x264('bframes=3:open-gop=1') }, false],
  ['NVENC', { frameRate: 60, ...x264('bframes=0:ref=1:aud=1:repeat-headers=1') }, true],
  ['NVENC with B-frames', { frameRate: 60, ...x264('bframes=4:b-pyramid=normal:aud=1') }, true],
  ['AMF', { ...x264('bframes=0:ref=1:slices=4:aud=1', { preset: 'superfast' }) }, true],
  [
    'QuickSync',
    {
      ...x264(
        'bframes=3:b-pyramid=strict:nal-hrd=vbr:vbv-maxrate=2000:vbv-bufsize=2000:bitrate=1500:pic-struct=1',
      ),
    },
    true,
  ],
  ['a phone', { rotation: 90, ...x264('bframes=0:cabac=0:8x8dct=0', { profile: 'main' }) }, true],
  ['baseline', { ...x264('', { profile: 'baseline' }) }, true],
  ['a variable rate', { variableFrameRate: true, bFrames: 2 }, true],
  ['full range', { fullRange: true, bFrames: 2, pixelFormat: 'yuvj420p' }, true],
  ['key frames ten seconds apart', { keyFrameSeconds: 10, bFrames: 3 }, false],
  ['key frames only', { ...x264('keyint=1') }, true],
  ['rolling intra refresh', { ...x264('intra-refresh=1:keyint=30:bframes=0') }, false],
  ['a start at five seconds', { startSeconds: 5, bFrames: 2 }, true],
  ['Matroska, two tracks', { container: 'matroska', bFrames: 2, audioTracks: 2 }, true],
  ['Matroska with Opus', { container: 'matroska', audioCodec: 'opus', bFrames: 2 }, true],
  ['MPEG-TS', { container: 'mpegts', bFrames: 2, audioTracks: 2 }, true],
  ['FLV', { container: 'flv', bFrames: 2 }, true],
  [
    'MPEG-PS',
    { container: 'mpegps', videoCodec: 'mpeg2', audioCodec: 'mp2', frameRate: 25, bFrames: 2 },
    false,
  ],
  ['WMV', { container: 'asf', videoCodec: 'wmv2', audioCodec: 'wmav2' }, false],
  ['60 pictures a second', { frameRate: 60, bFrames: 3, keyFrameSeconds: 2 }, true],
  ['no sound', { audioCodec: null, bFrames: 2 }, true],
  ['HEVC', { videoCodec: 'hevc', bFrames: 3 }, false],
  [
    'HEVC in high range',
    { videoCodec: 'hevc', dynamicRange: 'pq', pixelFormat: 'yuv420p10le' },
    false,
  ],
  ['AV1', { videoCodec: 'av1', container: 'webm', audioCodec: 'opus' }, false],
  ['AVI', { videoCodec: 'mpeg4', container: 'avi', audioCodec: 'mp3' }, false],
]
