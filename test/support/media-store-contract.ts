import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MediaStore } from '#server/platform/files/media-store.ts'

type Opened = { store: MediaStore; folder: string; close: () => Promise<void> }
type Options = { many?: number }

const CONTENT = Buffer.from('0123456789abcdef'.repeat(4096))

/**
 * What every store of media does, as tests of one that `open` makes; `folder` is for files to be put.
 * @param options.many files that are more than fit on a page of its list
 */
export function describeMediaStore(
  name: string,
  open: (folder: string) => Promise<Opened>,
  { many = 1100 }: Options = {},
) {
  describe(name, () => {
    let folder: string
    let opened: Opened
    let store: MediaStore
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'clutch-store-'))
      opened = await open(folder)
      store = opened.store
      await mkdir(join(opened.folder, 'work'), { recursive: true })
    })
    afterAll(async () => {
      await opened.close()
      await rm(folder, { recursive: true, force: true })
    })

    const fileWith = async (content: Buffer | string) => {
      const path = join(opened.folder, 'work', `file-${Math.random()}`)
      await writeFile(path, content)
      return path
    }
    const putFile = async (key: string, content: Buffer | string = CONTENT) =>
      store.put([{ key, path: await fileWith(content) }])
    const read = async (body: Promise<Readable | undefined>) => {
      const stream = await body
      return stream && (await buffer(stream))
    }
    const keysBelow = async (prefix: string) => {
      const keys: string[] = []
      for await (const { key } of store.list(prefix)) keys.push(key)
      return keys.sort()
    }

    test('what is put is there, whole, and no longer where it was', async () => {
      const path = await fileWith(CONTENT)
      await store.put([{ key: 'media/aa/video.mp4', path }])
      expect(await read(store.openRange('media/aa/video.mp4'))).toEqual(CONTENT)
      expect((await store.stat('media/aa/video.mp4'))?.bytes).toBe(CONTENT.length)
      await expect(stat(path)).rejects.toThrow('ENOENT')
    })

    test('several files are put at once, from bytes too', async () => {
      const path = await fileWith('one')
      const bytes = Buffer.from('two')
      await store.put([
        { key: 'media/ab/one', path },
        { key: 'media/ab/two', bytes },
      ])
      expect((await read(store.openRange('media/ab/one')))?.toString()).toBe('one')
      expect((await read(store.openRange('media/ab/two')))?.toString()).toBe('two')
    })

    test('what is put again replaces what was there', async () => {
      await putFile('media/ac/file', 'before')
      await putFile('media/ac/file', 'afterwards')
      expect((await read(store.openRange('media/ac/file')))?.toString()).toBe('afterwards')
      expect((await store.stat('media/ac/file'))?.bytes).toBe('afterwards'.length)
    })

    test('a range has both its ends', async () => {
      await putFile('media/ad/file')
      const range = await read(store.openRange('media/ad/file', { start: 10, end: 19 }))
      expect(range?.toString()).toBe('abcdef0123')
      const last = { start: CONTENT.length - 3, end: CONTENT.length - 1 }
      expect((await read(store.openRange('media/ad/file', last)))?.toString()).toBe('def')
    })

    test('an empty file is a file', async () => {
      await putFile('media/ae/empty', '')
      expect((await store.stat('media/ae/empty'))?.bytes).toBe(0)
      expect(await read(store.openRange('media/ae/empty'))).toEqual(Buffer.alloc(0))
    })

    test('what is not there is undefined', async () => {
      expect(await store.stat('media/af/none')).toBeUndefined()
      expect(await store.openRange('media/af/none')).toBeUndefined()
      expect(await store.openRange('media/af/none', { start: 0, end: 1 })).toBeUndefined()
      expect(await store.localCopy('media/af/none')).toBeUndefined()
      expect(await keysBelow('media/af/')).toEqual([])
    })

    test('a list is of what begins with the prefix, with sizes and times', async () => {
      await putFile('media/ba/one', 'four')
      await putFile('media/ba/two')
      await putFile('media/bb/three')
      expect(await keysBelow('media/ba/')).toEqual(['media/ba/one', 'media/ba/two'])
      expect(await keysBelow('media/')).toContain('media/bb/three')
      for await (const file of store.list('media/ba/')) {
        expect(file.bytes).toBe(file.key.endsWith('one') ? 4 : CONTENT.length)
        expect(Math.abs(Date.now() - file.modifiedAt.getTime())).toBeLessThan(3_600_000)
      }
    })

    test('a list is in the order of its keys', async () => {
      const keys = ['media/bc/b', 'media/bc/a', 'media/bc0/a', 'media/bc/a.mp4']
      for (const key of keys) await putFile(key, key)
      const listed: string[] = []
      for await (const { key } of store.list('media/')) listed.push(key)
      expect(listed).toEqual(listed.toSorted())
      expect(listed.filter((key) => keys.includes(key))).toEqual(keys.toSorted())
    })

    test('removing takes a whole prefix, or one file, and nothing beside it', async () => {
      for (const key of ['media/ca/one', 'media/ca/two', 'media/ca2/one']) await putFile(key)
      await store.removePrefix('media/ca/one')
      expect(await keysBelow('media/ca/')).toEqual(['media/ca/two'])
      await store.removePrefix('media/ca/')
      expect(await keysBelow('media/ca/')).toEqual([])
      expect(await keysBelow('media/ca2/')).toEqual(['media/ca2/one'])
    })

    test('removing what is not there is fine', async () => {
      await store.removePrefix('media/cb/')
      await store.removePrefix('media/cb/none')
    })

    test('a local copy is a file on the disk until it is released', async () => {
      await putFile('media/da/file')
      const [copy, other] = await Promise.all([
        store.localCopy('media/da/file'),
        store.localCopy('media/da/file'),
      ])
      expect(await readFile(copy?.path ?? '')).toEqual(CONTENT)
      expect(basename(copy?.path ?? '')).toBe('file')
      copy?.release()
      expect(await readFile(other?.path ?? '')).toEqual(CONTENT)
      other?.release()
    })

    test.each([
      ...[
        'media/../../victim/file',
        'media/ha/../../../victim/file',
        '../victim/file',
        '/etc/file',
      ],
      ...['media//file', 'media/./file', 'media/ha/', 'media/ha/..', 'media/ha/.hidden', ''],
      ...['media/ha\\..\\file', 'media/ha/a\0b', 'media/ha/%2e%2e ', `media/ha/${'x'.repeat(200)}`],
    ])('the key %j is neither written, read nor removed, with a sentence', async (key) => {
      const victim = join(folder, '..', 'victim', 'file')
      const path = await fileWith('x')
      const sentence = /^The name ".*" could lead out of the folder of media\.$/
      const isPrefix = key === 'media/ha/'
      await expect(store.put([{ key, path }])).rejects.toThrow(sentence)
      await expect(store.openRange(key)).rejects.toThrow(sentence)
      await expect(store.stat(key)).rejects.toThrow(sentence)
      await expect(store.localCopy(key)).rejects.toThrow(sentence)
      if (!isPrefix) expect(() => store.localPath(key)).toThrow(sentence)
      if (store.remote)
        await expect(store.remote.presign(key, { seconds: 1 })).rejects.toThrow(sentence)
      if (!isPrefix) await expect(store.removePrefix(key)).rejects.toThrow(sentence)
      await expect(stat(path)).resolves.toBeDefined()
      await expect(stat(victim)).rejects.toThrow('ENOENT')
    })

    test.each(['', '/', 'media/', 'media//', 'media/../', 'media/ha/../../', 'media/./'])(
      'what begins with %j is not removed as a whole',
      async (prefix) => {
        await putFile('media/hb/file')
        await expect(store.removePrefix(prefix)).rejects.toThrow('could lead out of')
        expect(await keysBelow('media/hb/')).toEqual(['media/hb/file'])
      },
    )

    test('a read that is given up leaves the store as it is', async () => {
      await putFile('media/ea/file')
      const stream = await store.openRange('media/ea/file')
      stream?.destroy()
      expect(await read(store.openRange('media/ea/file'))).toEqual(CONTENT)
    })

    test('many files are all listed and removed', async () => {
      const keys = Array.from({ length: many }, (_, index) => `media/fa/${10_000 + index}`)
      await store.put(keys.map((key) => ({ key, bytes: Buffer.from(key) })))
      expect(await keysBelow('media/fa/')).toEqual(keys)
      await store.removePrefix('media/fa/')
      expect(await keysBelow('media/fa/')).toEqual([])
    })
  })
}
