import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openFolderStore } from '#server/platform/files/folder-store.ts'
import { layerStores } from '#server/platform/files/layered-store.ts'
import { describeMediaStore } from '#test/support/media-store-contract.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

describeMediaStore('two folders, one over the other', async (folder) => {
  const [upper, lower] = [join(folder, 'upper'), join(folder, 'lower')]
  await mkdir(upper)
  await mkdir(lower)
  return {
    store: layerStores(openFolderStore(upper), [openFolderStore(lower)]),
    folder,
    close: async () => {},
  }
})

const folder = setUpFolder('layers')

test('what lies in any layer is found, listed once, and removed from all', async () => {
  const [current, old] = [openFolderStore(join(folder, 'a')), openFolderStore(join(folder, 'b'))]
  await old.put([
    { key: 'media/k/both', bytes: Buffer.from('same') },
    { key: 'media/k/old', bytes: Buffer.from('before') },
  ])
  await current.put([{ key: 'media/k/both', bytes: Buffer.from('same') }])
  const store = layerStores(current, [old])
  await store.put([{ key: 'media/k/new', bytes: Buffer.from('now') }])

  const keys: string[] = []
  for await (const { key } of store.list('media/')) keys.push(key)
  expect(keys).toEqual(['media/k/both', 'media/k/new', 'media/k/old'])
  const stream = await store.openRange('media/k/old', { start: 0, end: 2 })
  expect(stream && (await buffer(stream)).toString()).toBe('bef')
  expect(await store.stat('media/k/old')).toMatchObject({ bytes: 6 })
  expect(await old.stat('media/k/new')).toBeUndefined()
  expect(store.localPath('media/k/old')).toBe(join(folder, 'b', 'media', 'k', 'old'))
  expect(store.localPath('media/k/none')).toBeUndefined()
  const copy = await store.localCopy('media/k/old')
  expect(copy && (await readFile(copy.path, 'utf8'))).toBe('before')

  await store.removePrefix('media/k/')
  expect(await current.stat('media/k/both')).toBeUndefined()
  expect(await old.stat('media/k/both')).toBeUndefined()
})
