import type { TimeRange } from '../core/player-state.ts'

/** The browser could make nothing of what it was given, or has ended the buffer. */
export class BufferError extends Error {}

export type MediaBuffer = {
  /** The whole video's length, which the end of what is loaded may have made shorter. */
  setDuration: (seconds: number) => Promise<void>
  /** @throws DOMException `QuotaExceededError`; BufferError */
  append: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>
  /** Drops what lies between two times, in seconds. @throws BufferError */
  remove: (start: number, end: number) => Promise<void>
  /** Forgets the piece of a segment that lacks the rest; an init segment has to follow. */
  reset: () => Promise<void>
  /** What is there, in seconds. */
  ranges: () => TimeRange[]
  /** Says that nothing follows on what was given. */
  end: () => Promise<void>
}

/** Gives an element a MediaSource to play from, which begins at once to stand for it. @returns it, when it is open */
export async function attachMediaSource(
  video: HTMLVideoElement,
  startSeconds: number,
): Promise<MediaSource> {
  const source = new MediaSource()
  const url = URL.createObjectURL(source)
  const opened = new Promise((resolve) => {
    source.addEventListener('sourceopen', resolve, { once: true })
  })
  video.src = url
  if (startSeconds > 0) video.currentTime = startSeconds
  await opened
  URL.revokeObjectURL(url)
  return source
}

/**
 * A buffer for picture and sound together.
 * @param type with its codecs, as MediaSource takes it
 */
export function addMediaBuffer(source: MediaSource, type: string): MediaBuffer {
  const buffer = source.addSourceBuffer(type)
  let last: Promise<void> = Promise.resolve()
  const inTurn = (work: () => void): Promise<void> => {
    last = last.catch(() => undefined).then(() => perform({ source, buffer }, work))
    return last
  }
  return {
    setDuration: (seconds) =>
      inTurn(() => {
        // A recording may go on for a moment longer than the playlist says.
        const isShort = !(source.duration >= seconds)
        if (source.readyState === 'open' && isShort) source.duration = seconds
      }),
    append: (bytes) => inTurn(() => buffer.appendBuffer(bytes)),
    remove: (start, end) => inTurn(() => buffer.remove(start, end)),
    reset: () =>
      inTurn(() => {
        if (source.readyState === 'open') buffer.abort()
      }),
    ranges: () => (source.readyState === 'closed' ? [] : listRanges(buffer.buffered)),
    end: () =>
      inTurn(() => {
        if (source.readyState === 'open') source.endOfStream()
      }),
  }
}

function listRanges(ranges: TimeRanges): TimeRange[] {
  return Array.from({ length: ranges.length }, (_, index) => ({
    start: ranges.start(index),
    end: ranges.end(index),
  }))
}

/** Does what may keep a buffer busy, until it no longer is. */
async function perform(
  { source, buffer }: { source: MediaSource; buffer: SourceBuffer },
  work: () => void,
): Promise<void> {
  // Another source was given to the element, or it could not go on.
  if (source.readyState === 'closed') throw new BufferError('The buffer is closed.')
  work()
  if (!buffer.updating) return
  await new Promise<void>((resolve, reject) => {
    const over = new AbortController()
    const on = (target: EventTarget, type: string, act: () => void) => {
      const settle = () => {
        over.abort()
        act()
      }
      target.addEventListener(type, settle, { signal: over.signal })
    }
    const fail = () => reject(new BufferError('The browser refused what it was given.'))
    on(buffer, 'updateend', resolve)
    on(buffer, 'error', fail)
    on(source, 'sourceclose', fail)
  })
}
