import type { findStanding } from '#server/account/user/user.queries.ts'
import type { VideoRow } from '#server/platform/db/tables/video.ts'

/** Admins and trusted uploaders need no approval. */
export function approvalOf(
  owner: Awaited<ReturnType<typeof findStanding>>,
  { uploadsNeedApproval }: { uploadsNeedApproval: boolean },
): Pick<VideoRow, 'contentApproved' | 'withheld'> {
  const isTrusted = owner.isAdmin === 1 || owner.isTrustedUploader === 1
  if (uploadsNeedApproval && !isTrusted) return { contentApproved: 0, withheld: null }
  if (owner.bannedAt !== null) return { contentApproved: 0, withheld: 'banned' }
  return { contentApproved: 1, withheld: null }
}
