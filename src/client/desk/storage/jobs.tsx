import { IconFileText, IconRefresh, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import type { Job } from '#shared/schemas/desk/storage.schemas.ts'
import { InlineSelect } from '../../kit/control/inline-select.tsx'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { FilmDrawing } from '../../kit/drawings/film-drawing.tsx'
import { WorkBar } from '../../kit/list/work-bar.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { waitText } from '../../platform/video/processing-texts.ts'
import { trpc } from '../../trpc.ts'
import { AddressFilterBox } from '../address-filter-box.tsx'
import classes from '../admin.module.css'
import { DeskTable } from '../desk-table.tsx'
import { StateLabel, VideoSubject } from '../moderation/subject.tsx'
import { RowButton } from '../row-button.tsx'
import { oneOf, useAddress } from '../use-address.ts'
import { useDeskAction } from '../use-desk-action.ts'

const STATES = ['all', 'queued', 'running', 'failed', 'done'] as const
const LABELS = { all: 'All', queued: 'Waiting', running: 'Running', failed: 'Failed', done: 'Done' }
const KINDS = {
  transcode: 'Make it playable',
  ladder: 'Prepare all qualities',
  cut: 'Cut',
  clip: 'Make files of clips',
  montage: 'Make a montage',
  align: 'Align a squad view',
  mix: 'Mix the sound',
}
const REFRESH_MS = 5000

export function Jobs() {
  const { search, change } = useAddress()
  const shown = oneOf(STATES, search.state)
  const state = shown === 'all' ? undefined : shown
  const jobs = trpc.job.list.useInfiniteQuery(
    { state, q: search.q },
    { ...nextPage, refetchInterval: REFRESH_MS },
  )
  const [logged, setLogged] = useState<Job>()
  const [cancelled, setCancelled] = useState<Job>()
  const action = useDeskAction('job', 'overview')
  const retry = trpc.video.retryProcessing.useMutation(
    action({ done: 'Back in the queue', failed: 'Not retried' }),
  )
  const cancel = trpc.video.cancelProcessing.useMutation(action({ done: 'Work cancelled' }))
  return (
    <>
      <div className={`${classes.toolbar} ${row([8, 16], 'wrap', 'below16')}`}>
        <AddressFilterBox label="Filter by title or name" />
        <InlineSelect
          label="Show"
          options={STATES.map((value) => ({ value, label: LABELS[value] }))}
          value={shown}
          onChange={(value) => change({ state: value === 'all' ? '' : value })}
        />
        <Encoder />
      </div>
      <DeskTable
        query={jobs}
        empty={{ drawing: <FilmDrawing />, title: 'No jobs here' }}
        columns={[
          {
            title: 'Video',
            cell: ({ video, ownerName, createdAt }) => (
              <VideoSubject video={video}>
                @{ownerName} · <TimeAgo time={createdAt} />
              </VideoSubject>
            ),
          },
          { title: 'Work', cell: ({ kind }) => KINDS[kind] },
          { title: 'State', isWide: true, cell: (job) => <JobState job={job} /> },
        ]}
        actions={(job) => (
          <>
            <RowButton
              name="Show the log"
              label={`Log of ${job.video.title}`}
              Icon={IconFileText}
              onPress={() => setLogged(job)}
            />
            {job.state === 'failed' && (
              <RowButton
                name="Retry"
                label={`Retry ${job.video.title}`}
                Icon={IconRefresh}
                onPress={() => retry.mutate({ id: job.video.id })}
              />
            )}
            {(job.state === 'queued' || job.state === 'running') && (
              <RowButton
                name="Cancel the work"
                label={`Cancel ${job.video.title}`}
                Icon={IconX}
                isDanger
                onPress={() => setCancelled(job)}
              />
            )}
          </>
        )}
      />
      {logged && <LogDialog job={logged} onClose={() => setLogged(undefined)} />}
      {cancelled && (
        <AskDialog
          title={`Cancel the work on "${cancelled.video.title}"?`}
          confirmLabel="Cancel the work"
          pendingLabel="Cancelling..."
          isDanger
          onConfirm={() => cancel.mutateAsync({ id: cancelled.video.id })}
          onClose={() => setCancelled(undefined)}
        >
          What is done so far is lost. You can start it again from the beginning.
        </AskDialog>
      )}
    </>
  )
}

/** As detected at start. */
function Encoder() {
  const { data } = trpc.job.encoder.useQuery()
  if (!data) return null
  const place = data.isHardware ? 'the graphics card' : 'the processor'
  return (
    <p className={look('muted')}>
      Encodes with {data.name} on {place}
    </p>
  )
}

function JobState({ job }: { job: Job }) {
  const { state, percent, error, failures, workerName } = job
  // A job for the files of several clips ends as done even if its last clip failed.
  const showsError = error !== null && (state !== 'done' || job.kind === 'clip')
  return (
    <>
      <StateLabel state={state}>{LABELS[state]}</StateLabel>{' '}
      {state === 'running' && (
        <>
          {Math.round(percent)}% {job.step}
          {workerName && ` on ${workerName}`}
          <WorkBar label={`${Math.round(percent)}%`} percent={percent} height={6} />
        </>
      )}
      {state === 'queued' && waitText(job.step) && (
        <p className={look('errorColor')}>{waitText(job.step)}</p>
      )}
      {failures > 0 && state !== 'done' && (
        <span className={look('muted')}>
          failed {failures === 1 ? 'once' : `${failures} times`}
        </span>
      )}
      {showsError && <p className={look('errorColor')}>{error}</p>}
    </>
  )
}

function LogDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const log = trpc.job.log.useQuery({ id: job.id }, { staleTime: 0 })
  return (
    <AskDialog
      title={`Log of "${job.video.title}"`}
      confirmLabel="Close"
      pendingLabel="Close"
      onConfirm={async () => {}}
      onClose={onClose}
    >
      {log.isPending && <p role="status">Loading...</p>}
      {log.error && <p role="alert">{errorSentence(log.error)}</p>}
      {log.data?.length === 0 && <p>Nothing is in the log.</p>}
      {log.data && log.data.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard.
        <pre className={classes.log} tabIndex={0}>
          {log.data.map(({ createdAt, text }) => `${createdAt}  ${text}`).join('\n')}
        </pre>
      )}
    </AskDialog>
  )
}
