import { Button } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatDate } from '#shared/text/format.ts'
import classes from './expiry-note.module.css'

/** On which day the video goes private or is deleted, and a button that undoes that. */
export function ExpiryNote({ video }: { video: Video }) {
  const { id, title, expiry } = video
  const utils = trpc.useUtils()
  const keep = trpc.video.edit.useMutation({
    onSuccess: async () => {
      notify({ title: 'Kept', message: `"${title}" stays as it is.` })
      await utils.video.invalidate()
    },
    onError: (error) =>
      notify({ tone: 'error', title: 'Not kept', message: serverSentence(error) }),
  })
  if (!expiry) return null
  return (
    <div className={classes.note} data-danger={expiry.action === 'delete' || undefined}>
      <IconClock size={16} stroke={1.75} aria-hidden />
      <span>
        {expiry.action === 'delete' ? 'Deleted' : 'Goes private'} on {formatDate(expiry.at)}
      </span>
      <Button
        size="sm"
        variant="default"
        aria-label={`Keep: ${title}`}
        disabled={keep.isPending}
        onClick={() => keep.mutate({ id, expiry: null })}
      >
        {keep.isPending ? 'Keeping...' : 'Keep'}
      </Button>
    </div>
  )
}
