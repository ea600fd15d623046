import type { Viewer } from '../auth/lucia.ts'
import { type Database, followChanges } from '../db/database.ts'
import { createKept } from '../db/kept.ts'
import { isSiteLogo } from '../site/site.queries.ts'
import { isChannelPicture } from '../user/user.queries.ts'
import { findMediaFile } from '../video/video.queries.ts'
import { mediaUrl } from './media-store.ts'

const KEPT_BYTES_MAX = 2 * 1024 * 1024

/** Who may have a file: everybody, only this viewer (`own`), or nobody who asks (undefined). */
export type MediaAccess = 'public' | 'own' | undefined

type Asked = { mediaKey: string; name: string; viewer: Viewer | undefined }

/** Decides who may have a file once for all the parts that players ask of it, until that changes. */
export function createMediaAccess(db: Database) {
  const decisions = createKept<MediaAccess>(followChanges(db), {
    bytesMax: KEPT_BYTES_MAX,
    bytesOf: () => 0,
  })
  return {
    decide: (asked: Asked): Promise<MediaAccess> =>
      decisions.read(keyOf(asked), () => findAccess(db, asked)),

    /** Whether it is decided already that everybody may have the file at an address. */
    isKnownAsPublic: (address: string): boolean => decisions.find(address) === 'public',
  }
}

/** An admin who no longer is one sees other files. */
function keyOf({ mediaKey, name, viewer }: Asked): string {
  const who = viewer ? ` ${viewer.id}${viewer.isAdmin ? ' admin' : ''}` : ''
  return mediaUrl(mediaKey, name) + who
}

async function findAccess(db: Database, asked: Asked): Promise<MediaAccess> {
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
