import { findStanding } from '#server/account/user/user.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { approvalOf } from '../video/approval.ts'
import { findSquadForNew } from '../video/video-squad.queries.ts'
import { type ArrivingUpload, findArrivingUpload, mayWatchArriving } from './arriving.queries.ts'

/** Returns undefined unless the viewer may see the future video, or the one that is being prepared. */
export async function findVisibleArriving(
  db: Database,
  { id, viewer }: { id: number; viewer: Viewer | undefined },
): Promise<ArrivingUpload | undefined> {
  const upload = await findArrivingUpload(db, id)
  if (!upload) return undefined
  const settings = await findSiteSettings(db)
  const owner = await findStanding(db, upload.userId)
  const isVisible = await mayWatchArriving(db, {
    ...{ id, viewer },
    approved: approvalOf(owner, settings).contentApproved ?? 0,
    visibility: upload.visibility ?? owner.defaultVisibility ?? settings.defaultVisibility,
    squadId: await findSquadForNew(db, upload),
  })
  return isVisible ? upload : undefined
}
