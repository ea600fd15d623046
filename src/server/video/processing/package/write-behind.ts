import { open } from 'node:fs/promises'

/** What may wait to be written: enough to keep a disk busy, little enough for the rest to be quick. */
const stepBytes = 48 * 1024 * 1024

type WriteBehind = {
  /** Reports how much of the file there is; bytes. */
  reach: (bytes: number) => void
  /** Waits until the disk has all of it. */
  finish: () => Promise<void>
}

/**
 * Has the disk take a file while it is still being written, so that the last wait for it is short. Only
 * `finish` promises anything.
 */
export function writeBehind(path: string): WriteBehind {
  let written = 0
  let underWay: Promise<void> | null = null
  return {
    reach(bytes) {
      if (underWay || bytes - written < stepBytes) return
      written = bytes
      underWay = sync(path)
        .catch(() => {})
        .finally(() => {
          underWay = null
        })
    },
    async finish() {
      await underWay
      await sync(path)
    },
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}
