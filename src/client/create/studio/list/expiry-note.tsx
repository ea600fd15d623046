import { Button } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { notifyNotSaved } from '#client/kit/edit/notify-changed.ts'
import { row } from '#client/kit/layout/layout.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatDate } from '#shared/text/format.ts'
import classes from './expiry-note.module.css'

function expiryText(expiry: Video['expiry']): string {
  if (!expiry) return 'It stays'
  return `${expiry.action === 'delete' ? 'Deleted' : 'Becomes private'} on ${formatDate(expiry.at)}`
}

/** With an undo button. */
export function ExpiryNote({ video }: { video: Video }) {
  const { id, title, expiry } = video
  const utils = trpc.useUtils()
  const keep = trpc.video.edit.useMutation({
    onSuccess: async () => {
      notify({ title: 'Kept', message: `"${title}" stays as it is.` })
      await utils.video.invalidate()
    },
    onError: (error) => {
      notifyNotSaved(error, { title: 'Not kept', show: expiryText })
      return utils.video.invalidate()
    },
  })
  if (!expiry) return null
  return (
    <div
      className={`${row([4, 8], 'wrap', 'above8', 'size13')} ${classes.note}`}
      data-danger={expiry.action === 'delete' || undefined}
    >
      <IconClock size={16} stroke={1.75} aria-hidden />
      <span>{expiryText(expiry)}</span>
      <Button
        size="sm"
        variant="default"
        aria-label={`Keep: ${title}`}
        disabled={keep.isPending}
        onClick={() => keep.mutate({ id, expiry: null, was: { expiry } })}
      >
        {keep.isPending ? 'Keeping...' : 'Keep'}
      </Button>
    </div>
  )
}
