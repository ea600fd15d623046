import type { Line } from '../db/line.ts'
import type { MediaStore } from './media-store.ts'

/**
 * Tells other nodes to drop copies. A node that misses it cleans up later:
 * `video/media/deleted-copies.ts`.
 */
export function shareRemovals(media: MediaStore, line: Line): MediaStore {
  const { remote } = media
  if (!remote) return media
  line.listen((message) => {
    if (message.topic === 'files') remote.removeCopies(message.prefix).catch(() => {})
  })
  return {
    ...media,
    async removePrefix(prefix) {
      try {
        await media.removePrefix(prefix)
      } finally {
        line.tell({ topic: 'files', prefix }).catch(() => {})
      }
    },
  }
}
