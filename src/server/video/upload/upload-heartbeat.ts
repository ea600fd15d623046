import { type Database, timestamp } from '#server/platform/db/database.ts'
import { UPLOAD_BEAT_SECONDS } from '#shared/limits.ts'
import { updateAliveAt } from './upload.queries.ts'

/** The documented client sends the id first. */
const UPLOAD_ID = /name="?uploadId"?[^\r\n]*(?:\r\n[^\r\n]+)*\r\n\r\n([0-9a-f]{32})\r\n/
const HEAD_BYTES = 2048

export type Heartbeat = {
  /** Bytes have come; `head` is the beginning of the body as far as it is there. */
  beat: (head: Buffer) => void
  /** The request has ended; unless it `isComplete`, the sender has broken off. */
  end: (isComplete: boolean) => void
}

/**
 * Notes while the body of a chunk arrives that its upload is alive, as a slow line takes long for a
 * chunk. What cannot be written is left out: the chunk itself is more important.
 */
export function followChunk(db: Database, { userId }: { userId: number }): Heartbeat {
  let id: string | undefined
  let notedAt = 0
  const note = (aliveAt: string | null) => {
    if (id) void updateAliveAt(db, { id, userId, aliveAt }).catch(() => {})
  }
  return {
    beat(head) {
      id ??= UPLOAD_ID.exec(head.toString('latin1', 0, HEAD_BYTES))?.[1]
      const now = performance.now()
      if (!id || now - notedAt < UPLOAD_BEAT_SECONDS * 1000) return
      notedAt = now
      note(timestamp())
    },
    end(isComplete) {
      if (!isComplete) note(null)
    },
  }
}
