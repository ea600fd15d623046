import { Button } from '@mantine/core'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import type { Worker } from '#shared/schemas/desk/worker.schemas.ts'
import { countOf } from '#shared/text/format.ts'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import classes from '../admin.module.css'
import { StateLabel } from '../moderation/subject.tsx'

const KINDS: Partial<Record<Worker['speeds'][number]['kind'], string>> = {
  transcode: 'Make it playable',
  ladder: 'Prepare all qualities',
}

type WorkerCardProps = {
  worker: Worker
  isPending: boolean
  onDrain: (drained: boolean) => void
  onEnd: () => void
}

export function WorkerCard({ worker, isPending, onDrain, onEnd }: WorkerCardProps) {
  const { name, drainedAt, lastError, lastErrorAt, jobsDone, jobsFailed, speeds } = worker
  const isDrained = drainedAt !== null
  return (
    <article className={stack(12, 'framed', 'pad16')} aria-label={name}>
      <p className={`${classes.row} ${row([8, 16], 'wrap')}`}>
        <WorkerState worker={worker} />
        <strong>{name}</strong>
        <span className={look('muted')}>
          {worker.lastSeenAt ? (
            <>
              last seen <TimeAgo time={worker.lastSeenAt} />
            </>
          ) : (
            'never seen'
          )}
          {' · '}added <TimeAgo time={worker.createdAt} />
          {worker.createdByName && ` by @${worker.createdByName}`}
        </span>
      </p>
      <p className={look('muted')}>
        {countOf(jobsDone, 'job')} done, {jobsFailed} failed
        {worker.encoder && ` · encodes with ${worker.encoder}`}
        {worker.version && ` · version ${worker.version}`}
      </p>
      {speeds.length > 0 && (
        <p className={look('muted')}>
          {speeds
            .map(({ kind, speed }) => `${KINDS[kind] ?? kind}: ${speed.toFixed(1)}×`)
            .join(' · ')}
        </p>
      )}
      {lastError && (
        <p className={look('errorColor')}>
          {lastErrorAt && <TimeAgo time={lastErrorAt} />}: {lastError}
        </p>
      )}
      <div className={`${classes.row} ${row([8, 16], 'wrap')}`}>
        <Button
          size="sm"
          variant="default"
          aria-label={isDrained ? `Give ${name} work again` : `Drain ${name}`}
          disabled={isPending}
          onClick={() => onDrain(!isDrained)}
        >
          {isDrained ? 'Give it work again' : 'Drain'}
        </Button>
        <Button size="sm" variant="subtle" color="pulse" aria-label={`End ${name}`} onClick={onEnd}>
          End
        </Button>
      </div>
    </article>
  )
}

function WorkerState({ worker }: { worker: Worker }) {
  const { isHere, jobsRunning, drainedAt } = worker
  if (drainedAt !== null) {
    const rest = jobsRunning > 0 ? `Drained, finishes ${countOf(jobsRunning, 'job')}` : 'Drained'
    return <StateLabel state="drained">{rest}</StateLabel>
  }
  if (jobsRunning > 0)
    return <StateLabel state="running">Works on {countOf(jobsRunning, 'job')}</StateLabel>
  return isHere ? (
    <StateLabel state="open">Ready</StateLabel>
  ) : (
    <StateLabel state="away">Away</StateLabel>
  )
}
