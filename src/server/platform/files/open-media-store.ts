import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type S3Place, s3Address } from '../s3-place.ts'
import { openDisk } from './disk.ts'
import { openFolderStore } from './folder-store.ts'
import { layerStores } from './layered-store.ts'
import type { MediaStore } from './media-store.ts'
import type { S3Limits } from './s3/s3-requests.ts'
import { readStoreRecord } from './s3/store-record.ts'

/** In the data folder; `old` of the previous store. */
const CACHE_FOLDERS = { store: 'cache', old: 'cache-old' }

type Settings = Pick<Config, 'dataFolder' | 'media'>

/** Reads fall back to the previous store and the data folder. */
export async function openMediaStore(
  { dataFolder, media }: Settings,
  limits?: S3Limits,
): Promise<MediaStore> {
  const { store, old, cacheBytes } = media
  const open = (place: S3Place, name: string) =>
    openBucket(place, { dataFolder, cacheFolder: join(dataFolder, name), cacheBytes, limits })
  return layer({
    folder: openFolderStore(dataFolder),
    bucket: store && (await open(store, CACHE_FOLDERS.store)),
    old: typeof old === 'object' ? await open(old, CACHE_FOLDERS.old) : undefined,
  })
}

function layer({ folder, bucket, old }: Layers): MediaStore {
  const current = bucket ?? folder
  const others = [...(bucket ? [folder] : []), ...(old ? [old] : [])]
  return others.length > 0 ? layerStores(current, others) : current
}

type Layers = { folder: MediaStore; bucket: MediaStore | undefined; old: MediaStore | undefined }
type CommandStore = { media: MediaStore; close: () => Promise<void> }

export function mediaAddress({ store, old }: Settings['media']): string | undefined {
  const place = store ?? (typeof old === 'object' ? old : undefined)
  return place && s3Address(place)
}

/** Beside a running site; keeps no copies. */
export async function openMediaForCommand(settings: Settings): Promise<CommandStore> {
  const { store, old } = settings.media
  const bucket = store && (await openPlace(settings, store))
  const before = typeof old === 'object' ? await openPlace(settings, old) : undefined
  const folder = openFolderStore(settings.dataFolder)
  return {
    media: layer({ folder, bucket: bucket?.media, old: before?.media }),
    close: async () => {
      await bucket?.close()
      await before?.close()
    },
  }
}

export async function openPlace(
  { dataFolder }: Pick<Settings, 'dataFolder'>,
  place: 'folder' | S3Place,
): Promise<CommandStore> {
  if (place === 'folder') return { media: openFolderStore(dataFolder), close: async () => {} }
  const cacheFolder = await mkdtemp(join(tmpdir(), 'clutch-copies-'))
  return {
    media: await openBucket(place, { dataFolder, cacheFolder, cacheBytes: 0 }),
    close: () => rm(cacheFolder, { recursive: true, force: true }),
  }
}

async function openBucket(
  place: S3Place,
  options: {
    dataFolder: string
    cacheFolder: string
    cacheBytes: number
    limits?: S3Limits | undefined
  },
): Promise<MediaStore> {
  const { openS3Store } = await import('./s3-store.ts')
  const { dataFolder, limits, ...cache } = options
  const { freeBytes } = openDisk(dataFolder)
  const findDeleteLock = () =>
    readStoreRecord(dataFolder, s3Address(place))?.deleteLock ?? undefined
  return openS3Store(place, { ...cache, freeBytes, findDeleteLock, ...(limits && { limits }) })
}
