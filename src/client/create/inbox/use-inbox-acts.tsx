import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { notify } from '#client/platform/notify.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { InboxItem } from '#shared/schemas/inbox.schemas.ts'
import { countOf } from '#shared/text/format.ts'

/** Dismissing has an undo button. */
export function useInboxActs() {
  const utils = trpc.useUtils()
  const onSuccess = () => utils.inbox.invalidate()
  const restoring = trpc.inbox.restore.useMutation({
    onSuccess,
    onError: notifyFailure('Not restored'),
  })
  const restore = (ids: number[]) => restoring.mutate({ ids })
  const dismissing = trpc.inbox.dismiss.useMutation({
    onSuccess: async (_, asked) => {
      const ids = asked.ids.map(Number)
      const undo = () => {
        restore(ids)
        notifications.clean()
      }
      notify({
        title: `${countOf(ids.length, 'recording')} dismissed`,
        message:
          ids.length === 1 ? 'Its file stays in your folder.' : 'The files stay in your folder.',
        action: (
          <Button variant="default" onClick={undo}>
            Undo
          </Button>
        ),
      })
      await onSuccess()
    },
    onError: notifyFailure('Not dismissed'),
  })
  return {
    restore,
    dismiss: (items: readonly InboxItem[]) => dismissing.mutate({ ids: items.map(({ id }) => id) }),
  }
}
