import { isChannelPicture } from '#server/account/user/user.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import { mediaUrl } from '#server/platform/files/media-store.ts'
import { isGameArt } from '#server/platform/site/game-look.queries.ts'
import { isSiteLogo, siteIsOpen } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { findMediaFile } from '../video/video.queries.ts'

const MEDIA_KEY = /^[\da-f]{32}$/
const FILE_NAME = /^\w[\w.-]{0,99}$/

type MediaName = { addressKey: string; name: string }

type MediaAccess = { isPublic: boolean; mediaKey: string }

export function isMediaName({ addressKey, name }: MediaName): boolean {
  return MEDIA_KEY.test(addressKey) && isFileName(name)
}

export function isFileName(name: string): boolean {
  return FILE_NAME.test(name)
}

export async function findMediaAccess(
  db: Database,
  asked: MediaName & { viewer: Viewer | undefined },
): Promise<MediaAccess | undefined> {
  const { addressKey, name } = asked
  const address = mediaUrl(addressKey, name)
  const video = await findMediaFile(db, asked)
  if (video) {
    const isNamed = address === video.videoUrl || address === video.thumbnailUrl
    if (!isNamed && !video.isListed) return undefined
    return { isPublic: video.isPublic === 1, mediaKey: video.mediaKey }
  }
  if (await isSiteLogo(db, address)) return { isPublic: true, mediaKey: addressKey }
  const isPublic = await siteIsOpen(db)
  const isPicture =
    (isPublic || asked.viewer) &&
    ((await isChannelPicture(db, address)) || (await isGameArt(db, address)))
  return isPicture ? { isPublic, mediaKey: addressKey } : undefined
}
