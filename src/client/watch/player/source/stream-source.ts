import type { HlsStream } from './hls-stream.ts'
import type { Source, SourceInput } from './source.ts'
import { LostError } from './source.ts'

type PrepareInput = {
  /** Master playlist. */
  url: string
  /** Bits per second. */
  bandwidth: number | null
}

type StreamSourceInput = SourceInput &
  PrepareInput & {
    /** Prepared while another source played. */
    prepared?: HlsStream | undefined
  }

/**
 * Loads hls.js and renditions without touching an element.
 * @throws LostError on connection loss; other errors when unplayable
 */
export async function prepareStream(input: PrepareInput): Promise<HlsStream> {
  const { openHlsStream } = await import('./hls-stream.ts').catch(() => {
    throw new LostError()
  })
  return openHlsStream(input)
}

export function openStreamSource(input: StreamSourceInput): Source {
  const { video, url, listener } = input
  let { quality, soundTrack } = input
  let stream: HlsStream | undefined
  let isPreparing = false
  let isClosed = false

  async function begin(): Promise<void> {
    if (isPreparing) return
    isPreparing = true
    try {
      const prepared = input.prepared ?? (await prepareStream(input))
      if (isClosed) prepared.close()
      else attach(prepared)
    } catch (error) {
      if (!isClosed) listener.onTrouble(error instanceof LostError ? 'lost' : 'broken')
    } finally {
      isPreparing = false
    }
  }
  function attach(prepared: HlsStream): void {
    stream = prepared
    listener.onQualities(prepared.qualities)
    prepared.attach({
      ...{ video, quality, soundTrack, listener },
      startSeconds: video.currentTime || input.startSeconds,
    })
  }

  if (input.prepared) attach(input.prepared)
  else void begin()
  return {
    kind: 'hls',
    url,
    chooseQuality(next) {
      quality = next
      stream?.chooseQuality(next)
    },
    chooseSoundTrack(next) {
      soundTrack = next
      stream?.chooseSoundTrack(next)
    },
    resume() {
      if (stream) stream.resume()
      else void begin()
    },
    bandwidth: () => stream?.bandwidth() ?? null,
    close() {
      isClosed = true
      stream?.close()
    },
  }
}
