import type { CodecContext } from 'node-av/lib'
import { requireSuccess } from './ffmpeg-result.ts'

/**
 * Sets FFmpeg's options, to be called between allocating and opening a codec.
 * node-av 6.1.1 frees a dictionary given to `open2` a second time when it is collected.
 */
export function setCodecOptions(context: CodecContext, options: Record<string, string>): void {
  for (const [name, value] of Object.entries(options)) {
    requireSuccess(context.setOption(name, value), `set codec option ${name}`)
  }
}
