import '../../kit/styles/mantine-pages.css'
import { Table } from '@mantine/core'
import { IconFileText, IconRefresh, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { textStyles } from '#client/kit/layout/layout.ts'
import { notifyDone, notifyFailure } from '#client/platform/notify-outcome.ts'
import type { Job } from '#shared/schemas/desk/storage.schemas.ts'
import { InlineSelect } from '../../kit/control/inline-select.tsx'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { FilmDrawing } from '../../kit/drawings/film-drawing.tsx'
import { FramedTable } from '../../kit/list/framed-table.tsx'
import { WorkBar } from '../../kit/list/work-bar.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { waitText } from '../../platform/video/processing-texts.ts'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'
import { FilterBox } from '../filter-box.tsx'
import { ListFrame, nextPage } from '../list-frame.tsx'
import { State, VideoSubject } from '../moderation/subject.tsx'
import { RowButton } from '../row-button.tsx'
import { oneOf, useAddress } from '../use-address.ts'

const STATES = ['all', 'queued', 'running', 'failed', 'done'] as const
const LABELS = { all: 'All', queued: 'Waiting', running: 'Running', failed: 'Failed', done: 'Done' }
const KINDS = {
  transcode: 'Make it playable',
  ladder: 'Prepare all qualities',
  cut: 'Cut',
  clip: 'Make files of clips',
  montage: 'Make a montage',
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
  const utils = trpc.useUtils()
  const done = (title: string) => ({
    onSuccess: notifyDone(title, () =>
      Promise.all([utils.job.invalidate(), utils.overview.invalidate()]),
    ),
  })
  const retry = trpc.video.retryProcessing.useMutation({
    ...done('Back in the queue'),
    onError: notifyFailure('Not retried'),
  })
  const cancel = trpc.video.cancelProcessing.useMutation(done('Work cancelled'))
  return (
    <>
      <div className={classes.toolbar}>
        <FilterBox label="Filter by title or name" />
        <InlineSelect
          label="Show"
          options={STATES.map((value) => ({ value, label: LABELS[value] }))}
          value={shown}
          onChange={(value) => change({ state: value === 'all' ? '' : value })}
        />
        <Encoder />
      </div>
      <ListFrame query={jobs} empty={{ drawing: <FilmDrawing />, title: 'No jobs here' }}>
        {(items) => (
          <FramedTable>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Video</Table.Th>
                <Table.Th scope="col">Work</Table.Th>
                <Table.Th scope="col">State</Table.Th>
                <Table.Th scope="col">
                  <span className="visually-hidden">Actions</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((job) => (
                <JobRow
                  key={job.id}
                  job={job}
                  onLog={setLogged}
                  onCancel={setCancelled}
                  onRetry={() => retry.mutate({ id: job.video.id })}
                />
              ))}
            </Table.Tbody>
          </FramedTable>
        )}
      </ListFrame>
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

type JobRowProps = {
  job: Job
  onLog: (job: Job) => void
  onCancel: (job: Job) => void
  onRetry: () => void
}

/** As detected at start. */
function Encoder() {
  const { data } = trpc.job.encoder.useQuery()
  if (!data) return null
  const place = data.isHardware ? 'the graphics card' : 'the processor'
  return (
    <p className={textStyles.muted}>
      Encodes with {data.name} on {place}
    </p>
  )
}

function JobRow({ job, onLog, onCancel, onRetry }: JobRowProps) {
  const { state, percent, error, failures, video, workerName } = job
  // A job with several clips is done even if the last one failed.
  const showsError = error !== null && (state !== 'done' || job.kind === 'clip')
  return (
    <Table.Tr>
      <Table.Td>
        <VideoSubject video={video}>
          @{job.ownerName} · <TimeAgo time={job.createdAt} />
        </VideoSubject>
      </Table.Td>
      <Table.Td data-label="Work">{KINDS[job.kind]}</Table.Td>
      <Table.Td data-label="State" data-wide>
        <State state={state}>{LABELS[state]}</State>{' '}
        {state === 'running' && (
          <>
            {Math.round(percent)}% {job.step}
            {workerName && ` on ${workerName}`}
            <WorkBar label={`${Math.round(percent)}%`} percent={percent} height={6} />
          </>
        )}
        {state === 'queued' && waitText(job.step) && (
          <p className={classes.wrong}>{waitText(job.step)}</p>
        )}
        {failures > 0 && state !== 'done' && (
          <span className={textStyles.muted}>
            failed {failures === 1 ? 'once' : `${failures} times`}
          </span>
        )}
        {showsError && <p className={classes.wrong}>{error}</p>}
      </Table.Td>
      <Table.Td>
        <div className={classes.actions}>
          <RowButton
            name="Show the log"
            label={`Log of ${video.title}`}
            Icon={IconFileText}
            onPress={() => onLog(job)}
          />
          {state === 'failed' && (
            <RowButton
              name="Retry"
              label={`Retry ${video.title}`}
              Icon={IconRefresh}
              onPress={onRetry}
            />
          )}
          {(state === 'queued' || state === 'running') && (
            <RowButton
              name="Cancel the work"
              label={`Cancel ${video.title}`}
              Icon={IconX}
              isDanger
              onPress={() => onCancel(job)}
            />
          )}
        </div>
      </Table.Td>
    </Table.Tr>
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
