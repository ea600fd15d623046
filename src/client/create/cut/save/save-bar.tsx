import { Button } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { look, row, wrapped } from '#client/kit/layout/layout.ts'
import { cutLength } from '#shared/cut-times.ts'
import { CUT_PARTS_MAX, CUT_SECONDS_MIN } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { countOf, formatTenths } from '#shared/text/format.ts'
import type { CutEditing } from '../use-cut-editing.ts'
import classes from './save-bar.module.css'
import { SaveNewDialog } from './save-new-dialog.tsx'
import type { CutJob } from './use-cut-job.ts'

type SaveBarProps = {
  video: Video
  editing: CutEditing
  job: CutJob
  durationSeconds: number
}

/** Leaving with unsaved changes asks first. */
export function SaveBar({ video, editing, job, durationSeconds }: SaveBarProps) {
  const { parts, segments, isChanged, act } = editing
  const [saved, setSaved] = useState<typeof segments>()
  const [asks, setAsks] = useState<'new' | 'replace'>()
  const isUnsaved = isChanged && saved !== segments
  const leaving = useBlocker({
    shouldBlockFn: () => isUnsaved,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  })
  const length = cutLength(parts)
  const problem = problemOf(parts.length, length)
  const isHeld = !isChanged || job.isBusy || problem !== undefined
  const start = async (input: { as: 'new' | 'replace'; title?: string }) => {
    await job.start({ videoId: video.id, parts, ...input })
    setSaved(segments)
  }
  return (
    <div className={`${row([8, 16], 'wrap', 'between')} ${classes.bar}`}>
      <p className={classes.length}>
        <span className={look('textColor', 'size22', 'display')}>{formatTenths(length)}</span> of{' '}
        {formatTenths(durationSeconds)}
        <span className={classes.note} role="status">
          {problem ?? droppedText(segments, durationSeconds - length)}
        </span>
      </p>
      <span className={`${wrapped(8)} ${classes.actions}`}>
        <Button variant="subtle" disabled={!isChanged} onClick={() => act({ kind: 'reset' })}>
          Keep everything
        </Button>
        <Button variant="default" disabled={isHeld} onClick={() => setAsks('replace')}>
          Replace
        </Button>
        <Button disabled={isHeld} onClick={() => setAsks('new')}>
          Save as new video
        </Button>
      </span>
      {asks === 'new' && (
        <SaveNewDialog
          title={video.title}
          length={length}
          onSave={(title) => start({ as: 'new', title })}
          onClose={() => setAsks(undefined)}
        />
      )}
      {asks === 'replace' && (
        <AskDialog
          title="Replace the video"
          confirmLabel="Replace"
          pendingLabel="Starting..."
          onConfirm={() => start({ as: 'replace' })}
          onClose={() => setAsks(undefined)}
        >
          <ReplaceText title={video.title} length={length} />
        </AskDialog>
      )}
      {leaving.status === 'blocked' && (
        <AskDialog
          title="Leave without saving"
          confirmLabel="Leave"
          pendingLabel="Leaving..."
          isDanger
          onConfirm={async () => leaving.proceed()}
          onClose={leaving.reset}
        >
          <p>Your cut is not saved as a video yet.</p>
        </AskDialog>
      )}
    </div>
  )
}

function ReplaceText({ title, length }: { title: string; length: number }) {
  return (
    <>
      <p>
        “{title}” becomes {formatTenths(length)} long. It keeps its address, views and links.
      </p>
      <p>
        Comments and chapters move along with their moments; what points into a dropped part points
        to where it was taken out. The old recording stays until the new one plays, and can be
        brought back for 7 days.
      </p>
      <p>Clips and marks in removed parts are deleted for good.</p>
    </>
  )
}

function problemOf(partCount: number, length: number): string | undefined {
  if (partCount === 0) return 'Everything is removed. Keep at least one part.'
  if (length < CUT_SECONDS_MIN) return 'Keep at least one second of the video.'
  if (partCount > CUT_PARTS_MAX) return `A cut has at most ${CUT_PARTS_MAX} parts.`
}

function droppedText(segments: CutEditing['segments'], seconds: number): string {
  const count = segments.filter(({ isKept }) => !isKept).length
  if (count === 0) return 'Nothing is removed yet'
  return `${formatTenths(seconds)} dropped in ${countOf(count, 'part')}`
}
