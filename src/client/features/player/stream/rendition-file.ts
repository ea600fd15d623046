import type { Variant } from '../source/master-playlist.ts'
import { LoadError, type LoadProgress, loadBytes } from './load-bytes.ts'
import { type MediaPlaylist, parseMediaPlaylist, type Segment } from './media-playlist.ts'

type Bytes = Uint8Array<ArrayBuffer>
type LoadOptions = { signal: AbortSignal; onProgress?: (progress: LoadProgress) => void }

export type RenditionFile = ReturnType<typeof createRenditionFile>

/** The file of one rendition, and what is known of it so far. */
export function createRenditionFile({ url }: Pick<Variant, 'url'>) {
  let playlist: Promise<MediaPlaylist> | undefined
  let init: Bytes | undefined

  async function loadPlaylist(signal: AbortSignal): Promise<MediaPlaylist> {
    const bytes = await loadBytes({ url, signal })
    try {
      return parseMediaPlaylist(new TextDecoder().decode(bytes), new URL(url, location.href).href)
    } catch (error) {
      throw new LoadError((error as Error).message, false)
    }
  }

  return {
    /** Where its segments lie; asked for once. Fails as `loadBytes` does, or when it cannot be read. */
    playlist(signal: AbortSignal): Promise<MediaPlaylist> {
      playlist ??= loadPlaylist(signal).catch((error) => {
        playlist = undefined
        throw error
      })
      return playlist
    },

    /**
     * The bytes to append for a segment: behind the init segment, if `withInit`.
     * Fails as `loadBytes` does.
     */
    async load(
      segment: Segment,
      { withInit, signal, onProgress }: LoadOptions & { withInit: boolean },
    ): Promise<Bytes[]> {
      const { fileUrl: url, init: head } = await this.playlist(signal)
      const options = { url, signal, ...(onProgress && { onProgress }) }
      if (!withInit || init) {
        const media = await loadBytes({ ...options, range: segment })
        return withInit && init ? [init, media] : [media]
      }
      if (head.start + head.length === segment.start) {
        // The first segment lies right behind.
        const range = { start: head.start, length: head.length + segment.length }
        const both = await loadBytes({ ...options, range })
        init = both.slice(0, head.length)
        return [both]
      }
      const [first, media] = await Promise.all([
        loadBytes({ url, signal, range: head }),
        loadBytes({ ...options, range: segment }),
      ])
      init = first
      return [first, media]
    },
  }
}
