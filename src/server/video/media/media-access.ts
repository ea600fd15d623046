import { isChannelPicture } from '#server/account/user/user.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import { mediaUrl } from '#server/platform/files/media-store.ts'
import { isSiteLogo } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { findMediaFile } from '../video/video.queries.ts'

const MEDIA_KEY = /^[\da-f]{32}$/
const FILE_NAME = /^\w[\w.-]{0,99}$/

type MediaName = { mediaKey: string; name: string }

/** Who may have a file: everybody, only this viewer (`own`), or nobody who asks (undefined). */
export type MediaAccess = 'public' | 'own' | undefined

/** Whether a file of this name could be there at all. */
export function isMediaName({ mediaKey, name }: MediaName): boolean {
  return MEDIA_KEY.test(mediaKey) && FILE_NAME.test(name)
}

export async function findMediaAccess(
  db: Database,
  asked: MediaName & { viewer: Viewer | undefined },
): Promise<MediaAccess> {
  const address = mediaUrl(asked.mediaKey, asked.name)
  const video = await findMediaFile(db, asked)
  if (video) {
    const isNamed = address === video.videoUrl || address === video.thumbnailUrl
    if (!isNamed && !video.isListed) return undefined
    return video.isPublic ? 'public' : 'own'
  }
  const isPicture = (await isChannelPicture(db, address)) || (await isSiteLogo(db, address))
  return isPicture ? 'public' : undefined
}
