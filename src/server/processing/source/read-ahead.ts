import { open } from 'node:fs/promises'

/** How far ahead of its reader a file is fetched, and how much of it in one call; bytes. */
const aheadBytes = 64 * 1024 * 1024
const stepBytes = 32 * 1024 * 1024
/** What is read goes into the same memory again and again: nobody looks at it. */
const bufferBytes = 1024 * 1024

export type ReadAhead = {
  /** Tells how far the file has been read; bytes. */
  reach: (bytes: number) => void
  /** Waits for what is under way, and fetches nothing more. */
  end: () => Promise<void>
}

/**
 * Has the system fetch a file a good way ahead of what reads it from end to end: uploads are written past the system's
 * cache, and what it reads ahead by itself, some 128 KiB, keeps a disk waiting. What cannot be read is left to the reader
 * to complain of.
 */
export function readAhead(path: string): ReadAhead {
  let wanted = aheadBytes
  let fetched = 0
  let isOver = false
  let underWay: Promise<void> | null = null
  const go = () => {
    underWay ??= fetchAhead()
      .catch(() => {
        isOver = true
      })
      .finally(() => {
        underWay = null
      })
  }
  async function fetchAhead(): Promise<void> {
    const file = await open(path)
    const buffer = Buffer.allocUnsafeSlow(bufferBytes)
    const buffers = Array<Buffer>(stepBytes / bufferBytes).fill(buffer)
    try {
      while (!isOver && fetched < wanted) {
        const { bytesRead } = await file.readv(buffers, fetched)
        fetched += bytesRead
        if (bytesRead === 0) isOver = true
      }
    } finally {
      await file.close()
    }
  }
  go()
  return {
    reach(bytes) {
      wanted = bytes + aheadBytes
      if (!isOver && fetched < wanted) go()
    },
    async end() {
      isOver = true
      await underWay
    },
  }
}
