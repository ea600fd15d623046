import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readConfig } from '#server/platform/config.ts'
import { type MediaStore, storeKey } from '#server/platform/files/media-store.ts'
import { openMediaForCommand } from '#server/platform/files/open-media-store.ts'
import { mediaVariables } from './media-variables.ts'

type Site = { media: MediaStore }

/** The media key and the name in the address of a file. */
export function partsOf(url: string): [mediaKey: string, name: string] {
  const [, , mediaKey, name] = url.split('/')
  if (!mediaKey || !name) throw new Error(`'${url}' is not the address of a file.`)
  return [mediaKey, name]
}

/** What the work that made a file calls it: `video.mp4` for `video-0a1b2c3d4e5f.mp4`, whichever attempt that was. */
export function madeAs(name: string): string {
  return name.replace(/-[\da-f]{12}(?=\.\w+$)/, '')
}

/** Puts files under a media key, in place of what was there, as no part of the site does. */
export async function storeFiles(
  { media }: Site,
  mediaKey: string,
  files: Record<string, string | Uint8Array>,
): Promise<void> {
  const entries = Object.entries(files)
  await media.put(
    entries.map(([name, content]) => ({
      key: storeKey(mediaKey, name),
      bytes: Buffer.from(content),
    })),
  )
}

/** What a site has stored as a file of a media key, wherever that lies; undefined for nothing. */
export async function readStored(
  { media }: { media: Pick<MediaStore, 'openRange'> },
  mediaKey: string,
  name: string,
): Promise<Buffer | undefined> {
  const body = await media.openRange(storeKey(mediaKey, name))
  return body && buffer(body)
}

/** The names of what a site has stored under a media key, wherever that lies; none for one that is gone. */
export async function listStored(
  { media }: { media: Pick<MediaStore, 'list'> },
  mediaKey: string,
): Promise<string[]> {
  const prefix = storeKey(mediaKey)
  const names: string[] = []
  for await (const { key } of media.list(prefix)) names.push(key.slice(prefix.length))
  return names.sort()
}

/** The media keys, or with `uploads` the uploads, of which a site has stored anything. */
export async function listStoredKeys(
  { media }: { media: Pick<MediaStore, 'list'> },
  kind: 'media' | 'uploads' = 'media',
): Promise<string[]> {
  const found = new Set<string>()
  for await (const { key } of media.list(`${kind}/`)) found.add(key.split('/')[1] ?? '')
  return [...found]
}

/** Takes a file, or without a name all of a media key, out of a site's store. */
export function removeStored({ media }: Site, mediaKey: string, name?: string): Promise<void> {
  return media.removePrefix(storeKey(mediaKey, name))
}

/** The path of a file, or of a copy of it, for a program that reads from a disk. @throws when there is no such file */
export async function localFile({ media }: Site, mediaKey: string, name: string): Promise<string> {
  const copy = await media.localCopy(storeKey(mediaKey, name))
  if (!copy) throw new Error(`There is no file ${name}.`)
  copy.release()
  return copy.path
}

/** Looks into the store of a site that another process serves. */
export async function withStoreOf<Result>(
  { dataFolder }: { dataFolder: string },
  look: (site: Site) => Promise<Result>,
): Promise<Result> {
  const config = readConfig({ ...(await mediaVariables(dataFolder)), DATA_DIR: dataFolder })
  const { media, close } = await openMediaForCommand(config)
  try {
    return await look({ media })
  } finally {
    await close()
  }
}

/** Where a site whose store is a folder has a file, or without a name all files, of a media key. */
export function storedPath({ media }: Site, mediaKey: string, name?: string): string {
  const path = media.remote ? undefined : media.localPath(storeKey(mediaKey, name))
  if (path === undefined) throw new Error('The files of this site lie elsewhere.')
  return path
}

/** Where such a site has the folders of all media keys. */
export function storedRoot(site: Site): string {
  return dirname(storedPath(site, 'any'))
}
