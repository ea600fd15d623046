import type { MessageBus } from '../cluster/message-bus.ts'
import type { MediaStore } from './media-store.ts'

/** `video/media/deleted-copies.ts` deletes those of a missed message. */
export function shareRemovals(media: MediaStore, bus: MessageBus): MediaStore {
  const { remote } = media
  if (!remote) return media
  bus.onMessage((message) => {
    if (message.topic === 'files') remote.removeCopies(message.prefix).catch(() => {})
  })
  return {
    ...media,
    async removePrefix(prefix) {
      try {
        await media.removePrefix(prefix)
      } finally {
        bus.publish({ topic: 'files', prefix }).catch(() => {})
      }
    },
  }
}
