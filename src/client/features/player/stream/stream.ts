import type { Variant } from '../source/master-playlist.ts'
import type { SourceListener } from '../source/source.ts'
import { LoadError } from './load-bytes.ts'
import { createLoadedBuffer, type LoadedBuffer } from './loaded-buffer.ts'
import { addMediaBuffer, attachMediaSource } from './media-buffer.ts'
import { createRenditionChoice } from './rendition-choice.ts'
import { createSegmentLoading } from './segment-loading.ts'
import { createWorkLoop } from './work-loop.ts'

const MEDIA_RECOVERIES = 2
const GAP_CHECK_MS = 500

export type StreamInput = {
  video: HTMLVideoElement
  /** Ascending by bit rate; all of them play in this browser. At least one. */
  renditions: readonly Variant[]
  /** What the element plays from, opened for this stream. */
  source: Promise<MediaSource>
  quality: number | 'auto'
  /** Bits per second, as known from before. */
  bandwidth: number | null
  listener: Pick<SourceListener, 'onPlaying' | 'onTrouble'>
}

/** Plays renditions through MediaSource: loads what will be seen next, of the size that the connection carries. */
export function startStream(input: StreamInput) {
  const { video, renditions, listener } = input
  const over = new AbortController()
  const { signal } = over
  const choice = createRenditionChoice(input)
  let recoveries = 0
  let buffer = openBuffer(input.source)
  const loading = createSegmentLoading({
    ...{ video, renditions, choice, signal },
    buffer: () => buffer,
  })
  const loop = createWorkLoop({ step, onError: fail, signal })
  const watch = watchPlaying({
    buffer: () => buffer,
    onPlaying: (rendition) => listener.onPlaying(renditions[rendition] ?? null),
    onStuck: () => giveUp('broken'),
  })

  function openBuffer(source: Promise<MediaSource>): LoadedBuffer {
    const type = mediaType(renditions[choice.choose(0)]?.codecs ?? '')
    return createLoadedBuffer(
      video,
      source.then((opened) => addMediaBuffer(opened, type)),
    )
  }

  async function step(): Promise<boolean> {
    const target = buffer
    try {
      const hasMore = await loading.step()
      if (!signal.aborted) watch.look()
      return hasMore
    } catch (error) {
      // The trouble of a buffer that was given up already is none.
      if (error instanceof LoadError || target === buffer) throw error
      return true
    }
  }

  function fail(error: unknown): void {
    if (error instanceof LoadError) giveUp(error.isLost ? 'lost' : 'broken')
    else recover()
  }

  function giveUp(trouble: 'lost' | 'broken'): void {
    loop.halt()
    listener.onTrouble(trouble)
  }

  /** Begins anew at the same place after the browser could not go on. */
  function recover(): void {
    recoveries += 1
    if (recoveries > MEDIA_RECOVERIES) {
      giveUp('broken')
      return
    }
    const isPlaying = !video.paused
    loading.forgetBuffer()
    buffer = openBuffer(attachMediaSource(video, video.currentTime))
    if (isPlaying) void video.play().catch(() => undefined)
    loop.wake()
  }

  const on = (types: string, act: () => void) => {
    for (const type of types.split(' ')) video.addEventListener(type, act, { signal })
  }
  on('play', loading.notePlay)
  on('seeking', loading.noteSeek)
  on('play seeking waiting timeupdate', () => {
    watch.look()
    loop.wake()
  })
  on('error', () => video.error && recover())
  loop.wake()

  return {
    chooseQuality(next: number | 'auto'): void {
      choice.setQuality(next)
      loading.switchRendition()
      loop.wake()
    },
    /** Loads on where it stopped; what seems dead is asked for again. */
    resume(): void {
      loading.giveUpWhenDead()
      loop.goOn()
    },
    bandwidth: choice.bandwidth,
    close(): void {
      watch.close()
      over.abort()
    },
  }
}

type PlayingWatch = {
  buffer: () => LoadedBuffer
  /** Called with the index of the rendition that is seen, when it is another one. */
  onPlaying: (rendition: number) => void
  /** There is nothing to show for too long. */
  onStuck: () => void
}

/** Tells which rendition is seen, and helps over gaps in a recording. */
function watchPlaying({ buffer, onPlaying, onStuck }: PlayingWatch) {
  let told: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    /** Looks at once, and soon whether it goes on. */
    look(): void {
      const playing = buffer().playing()
      if (playing !== undefined && playing !== told) {
        told = playing
        onPlaying(playing)
      }
      clearTimeout(timer)
      timer = setTimeout(() => buffer().skipGap() || onStuck(), GAP_CHECK_MS)
    },
    close: () => clearTimeout(timer),
  }
}

/** As MediaSource takes it. */
export function mediaType(codecs: string): string {
  return `video/mp4; codecs="${codecs}"`
}
