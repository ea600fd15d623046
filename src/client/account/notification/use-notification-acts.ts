import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { notifyDone, notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { NotificationGroup } from '#shared/group-notifications.ts'

/** Returns functions that mark or delete all notifications of a group. */
export function useNotificationActs({ latest, size }: NotificationGroup) {
  const utils = trpc.useUtils()
  const onSettled = () => utils.notification.invalidate()
  const read = {
    onError: (error: unknown) => told('Error marking notification as read', error),
    onSettled,
  }
  const removed = {
    onError: (error: unknown) => told('Error deleting notification', error),
    onSettled,
  }
  const markOne = trpc.notification.markRead.useMutation(read)
  const markGroup = trpc.notification.markGroupRead.useMutation(read)
  const removeOne = trpc.notification.delete.useMutation(removed)
  const removeGroup = trpc.notification.deleteGroup.useMutation(removed)
  const { id } = latest
  const isAlone = size === 1 && latest.group === null
  return {
    markRead: () => (isAlone ? markOne : markGroup).mutate({ id }),
    remove: () => (isAlone ? removeOne : removeGroup).mutate({ id }),
    isMarking: markOne.isPending || markGroup.isPending,
    isRemoving: removeOne.isPending || removeGroup.isPending,
  }
}

export function useMarkAllRead() {
  const utils = trpc.useUtils()
  return trpc.notification.markAllRead.useMutation({
    onSuccess: notifyDone('All notifications marked as read'),
    onError: notifyFailure('Error marking notifications as read'),
    onSettled: () => utils.notification.invalidate(),
  })
}

function told(title: string, error: unknown): void {
  notify({ tone: 'error', title, message: serverSentence(error) })
}
