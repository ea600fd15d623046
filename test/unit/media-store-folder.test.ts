import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openFolderStore } from '#server/platform/files/folder-store.ts'
import { describeMediaStore } from '#test/support/media-store-contract.ts'

describeMediaStore('a folder', async (folder) => ({
  store: openFolderStore(folder),
  folder,
  close: async () => {},
}))

test('a folder follows no links below its areas, and waits for no FIFO', async () => {
  const base = await mkdtemp(join(tmpdir(), 'clutch-links-'))
  try {
    const [root, disk] = [join(base, 'site'), join(base, 'disk')]
    await mkdir(join(disk, 'aa'), { recursive: true })
    await mkdir(join(disk, 'lost+found'))
    await mkdir(join(base, 'victim'))
    await mkdir(root)
    await writeFile(join(base, 'victim', 'secret'), 'secret')
    // As an admin has media on another disk.
    await symlink(disk, join(root, 'media'))
    await writeFile(join(disk, 'aa', 'video.mp4'), 'video')
    await symlink(join(base, 'victim', 'secret'), join(disk, 'aa', 'link.mp4'))
    await symlink(join(base, 'victim'), join(disk, 'bb'))
    await promisify(execFile)('mkfifo', [join(disk, 'aa', 'fifo.mp4')])

    const store = openFolderStore(root)
    for (const key of ['media/aa/link.mp4', 'media/aa/fifo.mp4', 'media/bb/secret']) {
      expect(await store.stat(key)).toBeUndefined()
      expect(await store.openRange(key)).toBeUndefined()
      expect(await store.localCopy(key)).toBeUndefined()
    }
    const listed = await Array.fromAsync(store.list('media/'))
    expect(listed.map(({ key }) => key)).toEqual(['media/aa/video.mp4'])
    const written = store.put([{ key: 'media/bb/new', bytes: Buffer.from('x') }])
    await expect(written).rejects.toThrow('is a link')
    await expect(store.removePrefix('media/bb/secret')).rejects.toThrow('is a link')
    await store.removePrefix('media/bb/')
    await store.removePrefix('media/aa/')
    expect(await readdir(disk)).toEqual(['lost+found'])
    expect(await readFile(join(base, 'victim', 'secret'), 'utf8')).toBe('secret')
  } finally {
    await rm(base, { recursive: true, force: true })
  }
})
