import { type MediaStore, StoreError } from './media-store.ts'

/** No separators, drives, '.', '..' or hidden names. */
const PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/
const SHOWN_CHARACTERS = 80

export function isSafeName(name: string): boolean {
  return PART.test(name)
}

export function isSafeKey(key: string): boolean {
  return key.split('/').every(isSafeName)
}

/** @throws StoreError `refused` */
export function requireSafeName(name: string): string {
  if (isSafeName(name)) return name
  throw refusalOf(name)
}

/** Rows may come from a forged backup. Areas such as `media/` are never removed. */
export function guardKeys(store: MediaStore): MediaStore {
  const { remote } = store
  return {
    ...store,
    async put(files) {
      for (const { key } of files) requireKey(key)
      await store.put(files)
    },
    openRange: async (key, range) => store.openRange(requireKey(key), range),
    stat: async (key) => store.stat(requireKey(key)),
    async *list(prefix) {
      yield* store.list(requirePrefix(prefix, 1))
    },
    removePrefix: async (prefix) => store.removePrefix(requireKeyOrPrefix(prefix)),
    localCopy: async (key) => store.localCopy(requireKey(key)),
    localPath: (key) => store.localPath(requireKeyOrPrefix(key)),
    ...(remote && {
      remote: {
        ...remote,
        presign: async (key, options) => remote.presign(requireKey(key), options),
        removeCopies: async (prefix) => remote.removeCopies(requireKeyOrPrefix(prefix)),
      },
    }),
  }
}

function requireKey(key: string): string {
  if (isSafeKey(key)) return key
  throw refusalOf(key)
}

function requirePrefix(prefix: string, partsMin: number): string {
  const parts = prefix.split('/')
  if (parts.pop() === '' && parts.length >= partsMin && parts.every(isSafeName)) return prefix
  throw refusalOf(prefix)
}

function requireKeyOrPrefix(prefix: string): string {
  return prefix.endsWith('/') ? requirePrefix(prefix, 2) : requireKey(prefix)
}

function refusalOf(name: string): StoreError {
  const shown = JSON.stringify(name.slice(0, SHOWN_CHARACTERS))
  return new StoreError('refused', `The name ${shown} could lead out of the folder of media.`)
}
