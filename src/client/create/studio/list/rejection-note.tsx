import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { notify } from '#client/platform/notify.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { VIDEO_STATE_WORDS, videoStateOf } from '#shared/video-state.ts'
import classes from './rejection-note.module.css'

/** Reason of a rejected or hidden video, with actions. */
export function RejectionNote({ video }: { video: Video }) {
  const state = videoStateOf(video)
  if (state !== 'rejected' && state !== 'hidden') return null
  return (
    <div className={classes.note}>
      <p>
        <b>{VIDEO_STATE_WORDS[state]}:</b> {video.rejectionReason || 'No reason was given.'}
      </p>
      {state === 'rejected' && <SendInAgain video={video} />}
    </div>
  )
}

/** Renders nothing unless processing has failed. */
export function FailedNote({ video }: { video: Video }) {
  if (video.processingState !== 'failed') return null
  return (
    <p className={classes.note}>
      Your video could not be prepared. {video.processingError ?? 'The reason is unknown.'}
    </p>
  )
}

function SendInAgain({ video: { id, title } }: { video: Video }) {
  const utils = trpc.useUtils()
  const resubmit = trpc.video.resubmit.useMutation({
    onSuccess: async () => {
      notify({ title: 'Sent in again', message: `"${title}" waits for approval.` })
      await utils.video.invalidate()
    },
    onError: notifyFailure('Not sent in'),
  })
  return (
    <>
      <p className={classes.hint}>Change what is wrong with Edit, then send it in again.</p>
      <Button
        size="sm"
        variant="default"
        aria-label={`Send in again: ${title}`}
        leftSection={<IconSend size={16} stroke={1.75} aria-hidden />}
        disabled={resubmit.isPending}
        onClick={() => resubmit.mutate({ id })}
      >
        {resubmit.isPending ? 'Sending...' : 'Send in again'}
      </Button>
    </>
  )
}
