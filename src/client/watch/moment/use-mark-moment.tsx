import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useCallback } from 'react'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { formatDuration } from '#shared/text/format.ts'

/** With an undo button. */
export function useMarkMoment(id: number): (seconds: number) => void {
  const utils = trpc.useUtils()
  const refresh = () => utils.video.playback.invalidate({ id })
  const unmark = trpc.moment.unmark.useMutation({
    onSuccess: refresh,
    onError: (error) =>
      notify({ tone: 'error', title: 'The mark is still there', message: errorSentence(error) }),
  })
  const { mutate } = trpc.moment.mark.useMutation({
    onSuccess: ({ id: markId }, { atSeconds }) => {
      const undo = () => {
        unmark.mutate({ id: markId })
        notifications.clean()
      }
      notify({
        title: `Marked ${formatDuration(atSeconds)}`,
        message: 'Moments that viewers mark appear as peaks of the curve.',
        action: (
          <Button variant="default" onClick={undo}>
            Undo
          </Button>
        ),
      })
      return refresh()
    },
    onError: (error) =>
      notify({ tone: 'error', title: 'The moment was not marked', message: errorSentence(error) }),
  })
  return useCallback((atSeconds: number) => mutate({ id, atSeconds }), [id, mutate])
}
