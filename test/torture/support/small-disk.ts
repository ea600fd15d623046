import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const BLOCK = Buffer.alloc(64 * 1024, 7)

export type SmallDisk = Awaited<ReturnType<typeof mountSmallDisk>>

/**
 * Mounts a file system of so many MB that is in memory.
 * @throws when this account may not, or the system has none
 */
export async function mountSmallDisk(folder: string, megabytes: number) {
  await mkdir(folder, { recursive: true })
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  const ballast = join(folder, 'ballast')

  return {
    folder,
    /** Leaves so many bytes free, or a little less. */
    async fill(freeBytes: number): Promise<void> {
      const file = await open(ballast, 'a')
      try {
        for (;;) await file.appendFile(BLOCK)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        // What is left of the last block, byte by byte as it were.
        await file.appendFile(BLOCK.subarray(0, 4096)).catch(() => {})
        const { size } = await file.stat()
        await file.truncate(Math.max(0, size - freeBytes))
      } finally {
        await file.close()
      }
    },
    /** Makes room again. */
    clear: () => rm(ballast, { force: true }),
    unmount: async () => {
      await run('umount', ['-l', folder])
    },
  }
}
