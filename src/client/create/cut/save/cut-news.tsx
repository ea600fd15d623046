import { Button } from '@mantine/core'
import { useState } from 'react'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { row, wrapped } from '#client/kit/layout/layout.ts'
import { WorkBar } from '#client/kit/list/work-bar.tsx'
import { ProcessingActions } from '#client/kit/video/processing-actions.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { paceText } from '#client/platform/video/processing-texts.ts'
import { trpc } from '#client/trpc.ts'
import { formatDate } from '#shared/text/format.ts'
import classes from './cut-news.module.css'
import type { CutJob } from './use-cut-job.ts'

const newsLook = `${row([8, 16], 'wrap', 'between', 'pad12x16', 'framed')} ${classes.news}`

type CutNewsProps = { videoId: number; title: string; job: CutJob }

/** Running, failed or completed cuts, and the restorable recording. */
export function CutNews({ videoId, title, job }: CutNewsProps) {
  const { cut, finished, isBusy, bringBackUntil } = job
  return (
    <>
      {cut && isBusy && <Running cut={cut} title={title} />}
      {cut?.state === 'failed' && (
        <div className={newsLook} role="alert">
          <p>
            The video could not be cut. {cut.error ?? 'The reason is unknown.'} The video is as it
            was.
          </p>
          <span className={row(8, 'stretch', 'noShrink')}>
            {cut.videoId !== videoId && <Dismiss cut={cut} job={job} />}
            <Actions cut={cut} title={title} job={job} />
          </span>
        </div>
      )}
      {finished && !cut && (
        <div className={newsLook} role="status">
          <p>{finished.as === 'new' ? 'The new video is ready.' : 'The video is cut.'}</p>
          <LinkButton
            to="/video/$id"
            params={{ id: String(finished.as === 'new' ? finished.videoId : videoId) }}
            size="sm"
          >
            {finished.as === 'new' ? 'Watch the new video' : 'Watch it'}
          </LinkButton>
        </div>
      )}
      {bringBackUntil !== undefined && !isBusy && (
        <OldRecording videoId={videoId} until={bringBackUntil} job={job} />
      )}
    </>
  )
}

type Cut = NonNullable<CutJob['cut']>

function Running({ cut, title }: { cut: Cut; title: string }) {
  const { state, percent, secondsLeft } = cut
  const isWaiting = state === 'waiting'
  return (
    <div className={newsLook}>
      <p>
        {isWaiting ? 'The cut is queued' : `Cutting ${Math.round(percent)}%`}
        <span className={classes.pace}>
          {paceText({ step: null, speed: null, secondsLeft })} You can leave this page meanwhile.
        </span>
      </p>
      <Actions cut={cut} title={title} />
      <WorkBar label={`Cutting ${title}`} percent={percent} className={classes.bar} />
    </div>
  )
}

function Actions({ cut, title, job }: { cut: Cut; title: string; job?: CutJob }) {
  const processingState = cut.state === 'failed' ? 'failed' : 'processing'
  return (
    <span onClickCapture={() => void job?.refresh()} className={row(8, 'stretch', 'noShrink')}>
      <ProcessingActions video={{ id: cut.videoId, title, processingState }} />
    </span>
  )
}

/** Deletes the video of a failed cut. */
function Dismiss({ cut, job }: { cut: Cut; job: CutJob }) {
  const remove = trpc.video.delete.useMutation({
    onSuccess: job.refresh,
    onError: (error) =>
      notify({ tone: 'error', title: 'That could not be done', message: errorSentence(error) }),
  })
  return (
    <Button
      variant="subtle"
      size="sm"
      disabled={remove.isPending}
      onClick={() => remove.mutate({ id: cut.videoId })}
    >
      {remove.isPending ? 'Dismissing...' : 'Dismiss'}
    </Button>
  )
}

type OldRecordingProps = { videoId: number; until: string; job: CutJob }

function OldRecording({ videoId, until, job }: OldRecordingProps) {
  const [asking, setAsking] = useState<'bring-back' | 'forget'>()
  const bringBack = trpc.cut.bringBack.useMutation({ onSuccess: job.refresh })
  const forget = trpc.cut.forgetOld.useMutation({ onSuccess: job.refresh })
  const close = () => setAsking(undefined)
  return (
    <div className={newsLook}>
      <p>
        This video was cut.{' '}
        <span className={classes.pace}>
          The original can be restored until {formatDate(until)}.
        </span>
      </p>
      <span className={wrapped(8)}>
        <Button variant="subtle" size="sm" onClick={() => setAsking('forget')}>
          Delete the original now
        </Button>
        <Button variant="default" size="sm" onClick={() => setAsking('bring-back')}>
          Restore the original
        </Button>
      </span>
      {asking === 'bring-back' && (
        <AskDialog
          title="Restore the original"
          confirmLabel="Restore"
          pendingLabel="Restoring..."
          onConfirm={() => bringBack.mutateAsync({ videoId })}
          onClose={close}
        >
          <p>
            The original takes its place again, and comments and chapters move back to where they
            were. The cut version is deleted for good.
          </p>
        </AskDialog>
      )}
      {asking === 'forget' && (
        <AskDialog
          title="Delete the original now"
          confirmLabel="Delete"
          pendingLabel="Deleting..."
          isDanger
          onConfirm={() => forget.mutateAsync({ videoId })}
          onClose={close}
        >
          <p>
            What you cut out is deleted for good. The cut video stays. Earlier backups may still
            have the original.
          </p>
        </AskDialog>
      )}
    </div>
  )
}
