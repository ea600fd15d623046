import { open } from 'node:fs/promises'

/** Keeps the disk busy and the final sync short. */
const stepBytes = 48 * 1024 * 1024

type WriteBehind = {
  reach: (bytes: number) => void
  finish: () => Promise<void>
}

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
