import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'

const FILE = 'arriving.mp4'

type Fragment = { start: number; bytes: number; seconds: number }

/** Keeps the fragments of an upload that is watched in a work folder, which a start of the server removes, too. */
export function openFragmentFile(
  { disk }: Pick<AppDeps, 'disk'>,
  { name, bytesAtMost }: { name: string; bytesAtMost: number },
) {
  const fragments: Fragment[] = []
  let length = 0
  let writing: Promise<void> = Promise.resolve()
  const folder = openFolder()
  const file = folder.then((path) => open(join(path, FILE), 'w+'))
  // Appending and reading throw it.
  file.catch(() => {})

  /** @throws `no-space`: other uploads need the room more */
  async function openFolder(): Promise<string> {
    if ((await disk.freeBytes()) < bytesAtMost) {
      throw new AppError('no-space', 'The server has no room left for a file of this size.')
    }
    return disk.openWorkFolder(name)
  }

  async function write(bytes: Uint8Array, seconds: number): Promise<void> {
    await (await file).write(bytes, 0, bytes.length, length)
    fragments.push({ start: length, bytes: bytes.length, seconds })
    length += bytes.length
  }

  return {
    fragments: fragments as readonly Fragment[],

    append(bytes: Uint8Array, seconds: number): Promise<void> {
      writing = writing.then(() => write(bytes, seconds))
      return writing
    },

    /** Returns when all that was appended is written. */
    flush: () => writing,

    async read(index: number): Promise<Buffer | undefined> {
      const found = fragments[index]
      if (!found) return undefined
      const { buffer } = await (await file).read({
        ...{ buffer: Buffer.alloc(found.bytes), position: found.start },
      })
      return buffer
    },

    async remove(): Promise<void> {
      await writing.catch(() => {})
      await (await file.catch(() => undefined))?.close()
      const path = await folder.catch(() => undefined)
      if (path) await rm(path, { recursive: true, force: true })
    },
  }
}
