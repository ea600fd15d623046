import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { WorkBar } from '#client/kit/list/work-bar.tsx'
import { Mark } from '#client/kit/mark.tsx'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import { TOAST_MS } from '#client/platform/notify.tsx'
import { formatBytes } from '#shared/text/format.ts'
import { CopyLinkButton } from '../copy-link-button.tsx'
import { formatTimeLeft } from '../transfer/speed-meter.ts'
import {
  isUploadRunning,
  percentOf,
  secondsLeftOf,
  type UploadProgress,
} from '../transfer/upload-progress.ts'
import classes from './upload-status.module.css'

const stageLook = `${classes.stage} ${row(12, 'shrink', 'strong', 'breakWords')}`

type UploadStatusProps = {
  progress: UploadProgress
  title: string
  onRetry: () => void
  onCancel: () => void
}

export function UploadStatus({ progress, title, onRetry, onCancel }: UploadStatusProps) {
  const { state, message } = progress
  if (state === 'idle' && !message) return null
  return (
    <section
      className={`${column(12, 'framed', 'pad16')} ${classes.panel}`}
      data-state={state}
      aria-label="Upload status"
    >
      <p className="visually-hidden" role="status">
        {announcement(progress)}
      </p>
      {isUploadRunning(progress) && <RunningUpload {...{ progress, title, onCancel }} />}
      {state === 'idle' && <p className={stageLook}>{message}</p>}
      {state === 'complete' && (
        <p className={stageLook}>
          <IconCheck className={look('accentColor')} size={24} aria-hidden />
          Upload complete. Opening your video
        </p>
      )}
      {state === 'error' && (
        <div className={`${row(12, 'wrap', 'between')} ${classes.row}`}>
          <p className={stageLook}>
            <IconAlertTriangle className={look('errorColor')} size={24} aria-hidden />
            <span>
              <FailureReason message={message} />
              <span className={look('block', 'note', 'regular')}>
                Everything you entered is kept.
              </span>
            </span>
          </p>
          <Button onClick={onRetry}>Retry Upload</Button>
        </div>
      )}
    </section>
  )
}

/** After its toast. */
function FailureReason({ message }: Pick<UploadProgress, 'message'>) {
  const [isToasted, setToasted] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setToasted(false), TOAST_MS)
    return () => clearTimeout(timer)
  }, [])
  return isToasted ? 'The upload stopped.' : message
}

function RunningUpload({ progress, title, onCancel }: Omit<UploadStatusProps, 'onRetry'>) {
  const { state, canCancel, resumed, interrupted, linkedVideoId } = progress
  const percent = percentOf(progress)
  return (
    <>
      <div className={`${row(12, 'wrap', 'between')} ${classes.row}`}>
        <p className={stageLook}>
          {state === 'uploading' ? (
            <span className={classes.percent}>
              <RollingNumber value={percent}>{`${percent}%`}</RollingNumber>
            </span>
          ) : (
            <Mark size={28} className="spinning-mark" />
          )}
          <span>
            {stageText(progress)}
            <span className={look('block', 'note', 'regular')}>{detailsText(progress)}</span>
          </span>
        </p>
        {canCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel Upload
          </Button>
        )}
      </div>
      <WorkBar label="Upload progress" percent={percent} height={6} />
      {(interrupted || resumed) && (
        <p className={look('note')}>
          {interrupted
            ? 'Waiting for the server. The upload continues automatically.'
            : 'Resuming where it stopped'}
        </p>
      )}
      {linkedVideoId !== undefined && (
        <p className={`${row(12, 'wrap', 'between')} ${look('note')}`}>
          Who may watch the video sees what has arrived.
          <CopyLinkButton {...{ videoId: linkedVideoId, title }} size="sm" />
        </p>
      )}
    </>
  )
}

function stageText({ state, chunksStored, chunkCount }: UploadProgress): string {
  if (state === 'preparing') return 'Preparing the upload'
  if (state === 'processing') return 'Processing your video'
  return `Uploading chunk ${Math.min(chunksStored + 1, chunkCount)} of ${chunkCount}`
}

function detailsText(progress: UploadProgress): string {
  const { state, bytesSent, totalBytes, bytesPerSecond } = progress
  if (state === 'preparing') return 'Contacting the server'
  if (state === 'processing') return 'Checking the file and making it playable'
  const left = secondsLeftOf(progress)
  return [
    `${formatBytes(bytesSent)} of ${formatBytes(totalBytes)}`,
    bytesPerSecond ? `${formatBytes(bytesPerSecond)}/s` : '',
    left === undefined ? '' : formatTimeLeft(left),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Only every tenth percent, for screen readers. */
function announcement(progress: UploadProgress): string {
  const { state, message } = progress
  if (state === 'idle') return message ?? ''
  if (state === 'complete') return 'Upload complete'
  if (state === 'error') return ''
  if (state !== 'uploading') return stageText(progress)
  return `Uploading, ${Math.floor(percentOf(progress) / 10) * 10} percent`
}
