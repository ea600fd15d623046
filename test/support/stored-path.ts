import { dirname } from 'node:path'
import { type MediaStore, storeKey } from '#server/platform/files/media-store.ts'

type Site = { media: Pick<MediaStore, 'localPath'> }

/** Where a site whose store is a folder has a file, or without a name all files, of a media key. */
export function storedPath({ media }: Site, mediaKey: string, name?: string): string {
  const path = media.localPath(storeKey(mediaKey, name))
  if (path === undefined) throw new Error('The files of this site lie elsewhere.')
  return path
}

/** Where a site has the folders of all media keys. */
export function storedRoot(site: Site): string {
  return dirname(storedPath(site, 'any'))
}
