import { drawFrame } from '#client/platform/video/draw-frame.ts'
import { encodeCanvas, grabFrame } from '#client/platform/video/grab-frame.ts'
import type { PlayerCore } from '../core/player-core.ts'

const TIMEOUT_MS = 20_000

/**
 * Takes the shown frame in the full size of the video as PNG. The canvas has the colours of sRGB, so the browser maps
 * HDR to them.
 * @throws if the browser cannot show the video or read the picture
 */
export async function takeStill({ element, source, options }: PlayerCore): Promise<Blob> {
  const seconds = element.currentTime
  // A rendition of the stream can be smaller than the video. What arrives is the recording itself.
  if (source?.kind === 'progressive' || options.isArriving) {
    try {
      return await encodeCanvas(drawFrame(element), 'image/png')
    } catch {
      // The file is on another origin, or has no picture yet.
    }
  }
  const canvas = await grabFrame({
    src: options.videoUrl,
    at: () => seconds,
    timeoutMs: TIMEOUT_MS,
    crossOrigin: 'anonymous',
  })
  return encodeCanvas(canvas, 'image/png')
}
