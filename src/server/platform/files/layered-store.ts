import { existsSync } from 'node:fs'
import type { MediaStore, RemoteStore, StoredFile } from './media-store.ts'

/**
 * Writes go to `current`, which alone has uploads. Reads try the local folder first (a miss is
 * free), then `current`, then others.
 */
export function layerStores(current: MediaStore, others: readonly MediaStore[]): MediaStore {
  const stores = [current, ...others]
  const byCost = [...stores.filter(isHere), ...stores.filter((store) => !isHere(store))]
  const isLayered = (key: string) => key.startsWith('media/')
  const first = async <Found>(
    key: string,
    ask: (store: MediaStore) => Promise<Found | undefined>,
  ) => {
    for (const store of isLayered(key) ? byCost : [current]) {
      const found = await ask(store)
      if (found !== undefined) return found
    }
    return undefined
  }
  const remote = current.remote && layerRemotes(current.remote, stores)
  return {
    async put(files) {
      await current.put(files)
      for (const { key } of files.filter((file) => isLayered(file.key))) {
        for (const store of others) if (await store.stat(key)) await store.removePrefix(key)
      }
    },
    openRange: (key, range) => first(key, (store) => store.openRange(key, range)),
    stat: (key) => first(key, (store) => store.stat(key)),
    list: (prefix) =>
      isLayered(prefix)
        ? mergeLists(stores.map((store) => store.list(prefix)))
        : current.list(prefix),

    // `current` last: a concurrent copy notices the deletion.
    async removePrefix(prefix) {
      if (isLayered(prefix)) for (const store of others) await store.removePrefix(prefix)
      await current.removePrefix(prefix)
    },
    localCopy: (key) => first(key, (store) => store.localCopy(key)),

    localPath(key) {
      const paths = byCost.map((store) => store.localPath(key))
      return paths.find((path) => path !== undefined && existsSync(path))
    },
    ...(remote && { remote }),
    parts: stores,
  }
}

const isHere = (store: MediaStore) => store.remote === undefined

function layerRemotes(current: RemoteStore, stores: readonly MediaStore[]): RemoteStore {
  const remotes = stores.flatMap(({ remote }) => remote ?? [])
  return {
    async presign(key, options) {
      for (const { remote, stat } of remotes.length > 1 ? stores : []) {
        if (remote && (await stat(key))) return remote.presign(key, options)
      }
      return current.presign(key, options)
    },
    address: current.address,
    origin: [...new Set(remotes.map(({ origin }) => origin))].join(' '),
    copiedBytes: () => remotes.reduce((sum, { copiedBytes }) => sum + copiedBytes(), 0),
    listCopies: () => remotes.flatMap(({ listCopies }) => listCopies()),
    async removeCopies(prefix) {
      for (const { removeCopies } of remotes) await removeCopies(prefix)
    },
    problem: () => remotes.map(({ problem }) => problem()).find((text) => text !== undefined),
  }
}

/** Sorted; the first list wins. */
async function* mergeLists(
  lists: readonly AsyncIterable<StoredFile>[],
): AsyncGenerator<StoredFile, void, void> {
  const sources = lists.map((list) => list[Symbol.asyncIterator]())
  try {
    const heads = await Promise.all(sources.map((source) => source.next()))
    for (;;) {
      let least: StoredFile | undefined
      for (const { value } of heads.filter(({ done }) => !done)) {
        if (!least || value.key < least.key) least = value
      }
      if (!least) return
      yield least
      for (const [index, head] of heads.entries()) {
        const source = sources[index]
        if (source && !head.done && head.value.key === least.key) heads[index] = await source.next()
      }
    }
  } finally {
    for (const source of sources) await source.return?.()
  }
}
