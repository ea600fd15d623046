import { FOLLOWED_VIDEOS } from '#client/browse/home/followed-videos.ts'
import { hasHadMember } from '#client/platform/forget-member.ts'
import { isShelfHidden } from '#client/platform/hidden-shelves.ts'
import { trpcUtils } from '#client/trpc.ts'
import { commentsInput } from '#client/watch/comment/comment-sort.ts'
import { CLIPS_SHOWN, MAX_PAGE_SIZE, NEW_CLIPS_SHOWN } from '#shared/limits.ts'
import type { NotificationFilter } from '#shared/notification-kinds.ts'

/**
 * What the components of a page ask, asked by its route instead, so that a member's page is one batch: components would ask one
 * after the other, as their data and code arrive. Pages of visitors have their data.
 */

/** A guess, until it is known. A visitor's page says so. */
function isProbablyMember(): boolean {
  const user = trpcUtils.auth.currentUser.getData()
  return user === undefined ? hasHadMember() : user !== null
}

export function askForShell({ hasSidebar }: { hasSidebar: boolean }): void {
  if (!isProbablyMember()) return
  void trpcUtils.notification.browse.prefetch({ limit: MAX_PAGE_SIZE })
  if (hasSidebar) void trpcUtils.subscription.channels.prefetch()
}

/** The page's route waits until it is known who is signed in. */
export function askForNotifications(filter: NotificationFilter): void {
  if (!isProbablyMember()) return
  askForShell({ hasSidebar: true })
  void trpcUtils.notification.browse.prefetchInfinite({ filter })
}

export function askForHome(category: string | undefined): void {
  const { explore, clip, history, home, video } = trpcUtils
  // The pages of visitors come with other data, but not with that of one game.
  if (category !== undefined) void home.game.prefetch({ category })
  if (!isProbablyMember()) return
  void explore.pinned.prefetch()
  void home.tonight.prefetch()
  void home.visit.prefetch()
  void clip.newest.prefetch({ limit: NEW_CLIPS_SHOWN })
  if (!isShelfHidden('unfinished')) void history.unfinished.prefetch()
  if (!isShelfHidden('followed')) void video.listSubscribed.prefetch({ limit: FOLLOWED_VIDEOS })
}

export function askForVideo(id: number): void {
  const { clip, participant, video } = trpcUtils
  void video.get.prefetch({ id })
  void video.playback.prefetch({ id })
  void participant.list.prefetch({ id })
  void clip.ofVideo.prefetch({ id, limit: CLIPS_SHOWN })
}

/** What stands below and beside a video. Not for a link that is only pointed at. */
export function askAroundVideo(id: number): void {
  const { comment, video } = trpcUtils
  void video.recommended.prefetch({ id })
  void comment.list.prefetchInfinite(commentsInput({ id }))
  void comment.count.prefetch({ id })
  void comment.pinned.prefetch({ id })
}
