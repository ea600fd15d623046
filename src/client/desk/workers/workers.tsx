import '../../kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import type { Worker } from '#shared/schemas/desk/worker.schemas.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { StackDrawing } from '../../kit/drawings/stack-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { ListSkeleton } from '../list-frame.tsx'
import { useDeskAction } from '../use-desk-action.ts'
import { WorkerCard } from './worker-card.tsx'

const REFRESH_MS = 5000

const AddWorker = lazyPart(() => import('./add-worker.tsx'))

export function Workers() {
  const found = trpc.worker.list.useQuery(undefined, { refetchInterval: REFRESH_MS })
  const [isAdding, setAdding] = useState(false)
  const [ended, setEnded] = useState<Worker>()
  const action = useDeskAction('worker')
  const drain = trpc.worker.drain.useMutation(action({ failed: 'Not changed' }))
  const end = trpc.worker.end.useMutation(action({ done: 'Worker ended' }))
  const { data } = found
  return (
    <>
      <Panel
        title="Other machines"
        action={
          <Button
            leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            Add a worker
          </Button>
        }
      >
        <p className={look('muted')}>
          A worker prepares videos for this site on another machine: a gaming PC with a graphics
          card, a second server. It needs no access to the database or the files.
        </p>
        {data && !data.serverPrepares && (
          <p>
            The site itself prepares nothing (PROCESSING_JOBS is 0): without a worker, new videos
            wait.
          </p>
        )}
      </Panel>
      {found.isPending && <ListSkeleton />}
      {found.isError && !data && (
        <LoadError
          text={`The workers could not be loaded: ${errorSentence(found.error)}`}
          error={found.error}
          onRetry={() => void found.refetch()}
        />
      )}
      {data?.workers.length === 0 && (
        <EmptyState drawing={<StackDrawing />} title="No workers yet" role="status">
          One machine is enough for most sites. When videos wait long to be prepared, add another.
        </EmptyState>
      )}
      <div className={stack(16)}>
        {data?.workers.map((worker) => (
          <WorkerCard
            key={worker.id}
            worker={worker}
            isPending={drain.isPending}
            onDrain={(drained) => drain.mutate({ id: worker.id, drained })}
            onEnd={() => setEnded(worker)}
          />
        ))}
      </div>
      {isAdding && <AddWorker onClose={() => setAdding(false)} />}
      {ended && (
        <AskDialog
          title={`End ${ended.name}?`}
          confirmLabel="End"
          pendingLabel="Ending..."
          isDanger
          onConfirm={() => end.mutateAsync({ id: ended.id })}
          onClose={() => setEnded(undefined)}
        >
          Its token stops working at once. What it works on goes back into the queue, and what it
          did stays. To let it finish first, drain it.
        </AskDialog>
      )}
    </>
  )
}
