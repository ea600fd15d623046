import { LoadError, loadBytes } from '../stream/load-bytes.ts'
import { attachMediaSource } from '../stream/media-buffer.ts'
import { mediaType, startStream } from '../stream/stream.ts'
import { parseMasterPlaylist, type Variant } from './master-playlist.ts'
import type { Source, SourceInput } from './source.ts'

type StreamSourceInput = SourceInput & {
  /** Bits per second, as last measured. */
  bandwidth: number | null
  /** The renditions, where the page knows them already. */
  renditions?: readonly Variant[] | undefined
}

/** The renditions by our own loader over MediaSource. */
export function openStreamSource(input: StreamSourceInput): Source {
  const { video, url, listener, bandwidth } = input
  const over = new AbortController()
  const { signal } = over
  const source = attachMediaSource(video, input.startSeconds)
  let { quality } = input
  let stream: ReturnType<typeof startStream> | undefined
  let isBeginning = false

  function begin(variants: readonly Variant[]): void {
    const playable = variants.filter(({ codecs }) => MediaSource.isTypeSupported(mediaType(codecs)))
    if (playable.length === 0) {
      listener.onTrouble('broken')
      return
    }
    listener.onQualities(playable)
    const renditions = playable.toSorted((a, b) => (a.bitRate ?? 0) - (b.bitRate ?? 0))
    stream = startStream({ video, renditions, source, quality, bandwidth, listener })
  }

  async function readMaster(): Promise<void> {
    if (isBeginning) return
    isBeginning = true
    try {
      const bytes = await loadBytes({ url, signal })
      const base = new URL(url, location.href).href
      begin(parseMasterPlaylist(new TextDecoder().decode(bytes), base))
    } catch (error) {
      if (signal.aborted) return
      listener.onTrouble(error instanceof LoadError && error.isLost ? 'lost' : 'broken')
    } finally {
      isBeginning = false
    }
  }

  if (input.renditions && input.renditions.length > 0) begin(input.renditions)
  else void readMaster()
  return {
    kind: 'hls',
    url,
    chooseQuality(next) {
      quality = next
      stream?.chooseQuality(next)
    },
    resume() {
      if (stream) stream.resume()
      else void readMaster()
    },
    bandwidth: () => stream?.bandwidth() ?? null,
    close() {
      over.abort()
      stream?.close()
    },
  }
}
