import type { Offsite } from '#server/platform/offsite-config.ts'
import type { BackupPlace } from './backup-place.ts'
import { openFolderPlace } from './folder-place.ts'

export async function openPlace({ place }: Offsite): Promise<BackupPlace> {
  if ('folder' in place) return openFolderPlace(place.folder)
  const { openS3Place } = await import('./s3-place.ts')
  return openS3Place(place.s3)
}
