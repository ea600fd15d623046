import { type MediaStore, storeKey } from '#server/platform/files/media-store.ts'

/** Bytes of all files under a media key. */
export async function storedBytes(media: MediaStore, mediaKey: string): Promise<number> {
  let sum = 0
  for await (const { bytes } of media.list(storeKey(mediaKey))) sum += bytes
  return sum
}
