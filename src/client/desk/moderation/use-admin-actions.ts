import { trpc } from '../../trpc.ts'
import { useDeskAction } from '../use-desk-action.ts'

/** Shows a toast and refetches lists. */
export function useAdminActions() {
  const action = useDeskAction(
    ...(['report', 'moderation', 'member', 'overview', 'comment', 'post'] as const),
    ...(['video', 'audit', 'user', 'search', 'explore'] as const),
  )
  const done = (title: string) => action({ done: title })
  return {
    approveVideo: trpc.moderation.approve.useMutation(done('Video approved')).mutateAsync,
    rejectVideo: trpc.moderation.reject.useMutation(done('Video rejected')).mutateAsync,
    editVideo: trpc.moderation.editVideo.useMutation(done('Video changed')).mutateAsync,
    hideVideo: trpc.moderation.hideVideo.useMutation(done('Video hidden')).mutateAsync,
    unhideVideo: trpc.moderation.unhideVideo.useMutation(done('Video shown again')).mutateAsync,
    deleteVideo: trpc.moderation.deleteVideo.useMutation(done('Video deleted')).mutateAsync,
    approveComment: trpc.moderation.approveComment.useMutation(done('Comment approved'))
      .mutateAsync,
    hideComment: trpc.moderation.hideComment.useMutation(done('Comment hidden')).mutateAsync,
    unhideComment: trpc.moderation.unhideComment.useMutation(done('Comment shown again'))
      .mutateAsync,
    deleteComment: trpc.moderation.deleteComment.useMutation(done('Comment deleted')).mutateAsync,
    approvePost: trpc.moderation.approvePost.useMutation(done('Post approved')).mutateAsync,
    hidePost: trpc.moderation.hidePost.useMutation(done('Post hidden')).mutateAsync,
    unhidePost: trpc.moderation.unhidePost.useMutation(done('Post shown again')).mutateAsync,
    deletePost: trpc.moderation.deletePost.useMutation(done('Post deleted')).mutateAsync,
    editChannel: trpc.moderation.editChannel.useMutation(done('Channel changed')).mutateAsync,
    warn: trpc.moderation.warn.useMutation(done('Member warned')).mutateAsync,
    ban: trpc.moderation.ban.useMutation(done('Member banned')).mutateAsync,
    unban: trpc.moderation.unban.useMutation(done('Ban lifted')).mutateAsync,
    endSessions: trpc.member.endSessions.useMutation(done('Logged out everywhere')).mutateAsync,
    setAdmin: trpc.moderation.setAdmin.useMutation(done('Role changed')).mutateAsync,
    closeReport: trpc.report.close.useMutation(done('Report closed')).mutateAsync,
  }
}

export type AdminActions = ReturnType<typeof useAdminActions>
