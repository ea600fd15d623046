import { isImportedHash } from '#server/account/auth/password.ts'
import { type DescribedVideo, describeVideo } from './describe-video.ts'
import type { FireshareVideo } from './fireshare-database.ts'

/**
 * A private video of Fireshare is in no list, but everybody with its address can watch it, so it becomes `unlisted`. A
 * video with a password becomes private, and gets a share link with the password.
 * @param categories that take new videos
 */
export function describeFireshareVideo(
  video: FireshareVideo,
  categories: readonly string[],
): DescribedVideo & { passwordHash: string | undefined } {
  const hasPassword = video.passwordHash !== ''
  const isKnown = hasPassword && isImportedHash(video.passwordHash)
  const visibility = hasPassword ? 'private' : video.isPrivate ? 'unlisted' : 'public'
  const { details, notes } = describeVideo({ ...video, visibility }, categories)
  if (hasPassword && !isKnown) {
    notes.push('It is private, since its password cannot be taken over.')
  }
  if (video.crop) notes.push('It comes uncropped; the crop is a clip.')
  return { details, notes, passwordHash: isKnown ? video.passwordHash : undefined }
}
