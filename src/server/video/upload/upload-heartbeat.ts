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
  let beat: (() => void) | undefined
  return {
    beat(head) {
      id ??= UPLOAD_ID.exec(head.toString('latin1', 0, HEAD_BYTES))?.[1]
      if (id) beat ??= createBeat(db, { id, userId })
      beat?.()
    },
    end(isComplete) {
      if (!isComplete && id) note(db, { id, userId, aliveAt: null })
    },
  }
}

/** Notes that bytes arrive, but seldom. */
export function createBeat(db: Database, upload: { id: string; userId: number }): () => void {
  let notedAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now - notedAt < UPLOAD_BEAT_SECONDS * 1000) return
    notedAt = now
    note(db, { ...upload, aliveAt: timestamp() })
  }
}

function note(db: Database, beat: Parameters<typeof updateAliveAt>[1]): void {
  void updateAliveAt(db, beat).catch(() => {})
}
