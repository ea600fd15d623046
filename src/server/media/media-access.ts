import type { Database } from '../db/database.ts'
import { mediaUrl } from '../files/media-store.ts'
import { isSiteLogo } from '../site/site.queries.ts'
import { isChannelPicture } from '../user/user.queries.ts'
import { findMediaFile } from '../video/video.queries.ts'
import type { Viewer } from '../viewer.ts'

const MEDIA_KEY = /^[\da-f]{32}$/
const FILE_NAME = /^\w[\w.-]{0,99}$/

export type MediaName = { mediaKey: string; name: string }

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
