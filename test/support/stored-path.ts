import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type MediaStore, storeKey } from '#server/platform/files/media-store.ts'

type Site = { media: Pick<MediaStore, 'localPath'> }

/** Where a site whose store is a folder has a file, or without a name all files, of a media key. */
export function storedPath({ media }: Site, mediaKey: string, name?: string): string {
  const path = media.localPath(storeKey(mediaKey, name))
  if (path === undefined) throw new Error('The files of this site lie elsewhere.')
  return path
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

/** The names of what a site has stored under a media key, wherever that lies. */
export async function listStored(
  { media }: { media: Pick<MediaStore, 'list'> },
  mediaKey: string,
): Promise<string[]> {
  const prefix = storeKey(mediaKey)
  const names: string[] = []
  for await (const { key } of media.list(prefix)) names.push(key.slice(prefix.length))
  return names.sort()
}

/** Where a site has the folders of all media keys. */
export function storedRoot(site: Site): string {
  return dirname(storedPath(site, 'any'))
}
