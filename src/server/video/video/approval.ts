import type { findStanding } from '#server/account/user/user.queries.ts'
import type { VideoRow } from '#server/platform/db/tables/video.ts'

/** Admins need no approval. */
export function approvalOf(
  owner: Awaited<ReturnType<typeof findStanding>>,
  { uploadsNeedApproval }: { uploadsNeedApproval: boolean },
): Pick<VideoRow, 'contentApproved' | 'withheld'> {
  if (uploadsNeedApproval && owner.isAdmin === 0) return { contentApproved: 0, withheld: null }
  if (owner.bannedAt !== null) return { contentApproved: 0, withheld: 'banned' }
  return { contentApproved: 1, withheld: null }
}
