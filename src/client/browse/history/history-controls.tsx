import { Button } from '@mantine/core'
import { IconFilterOff, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { column, look, stack } from '#client/kit/layout/layout.ts'
import { FilterBox } from '#client/kit/list/filter-box.tsx'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import classes from './history-controls.module.css'

type HistoryControlsProps = {
  q: string
  onFilter: (q: string) => void
  isSignedIn: boolean
  /** False disables clearing. */
  isAnyWatched: boolean
}

export function HistoryControls({ q, onFilter, isSignedIn, isAnyWatched }: HistoryControlsProps) {
  return (
    <div className={`${stack(16)} ${classes.root}`}>
      <FilterBox label="Search watch history" q={q} onFilter={onFilter} disabled={!isSignedIn} />
      <div className={`${column(8)} ${classes.buttons}`}>
        <Button
          variant="default"
          leftSection={<IconFilterOff size={18} stroke={1.75} aria-hidden />}
          disabled={q === ''}
          onClick={() => onFilter('')}
        >
          Clear filters
        </Button>
        {isSignedIn && <PauseButton />}
        <ClearButton disabled={!isAnyWatched} />
      </div>
    </div>
  )
}

function PauseButton() {
  const utils = trpc.useUtils()
  const state = trpc.history.state.useQuery()
  const setPaused = trpc.history.setPaused.useMutation({
    onMutate: ({ paused }) => utils.history.state.setData(undefined, { paused }),
    onError: (error, { paused }) => {
      utils.history.state.setData(undefined, { paused: !paused })
      notify({
        tone: 'error',
        title: 'Your history setting could not be saved',
        message: serverSentence(error),
      })
    },
  })
  const isPaused = state.data?.paused === true
  return (
    <>
      <Button
        variant="default"
        leftSection={
          isPaused ? (
            <IconPlayerPlay size={18} stroke={1.75} aria-hidden />
          ) : (
            <IconPlayerPause size={18} stroke={1.75} aria-hidden />
          )
        }
        disabled={!state.data || setPaused.isPending}
        onClick={() => setPaused.mutate({ paused: !isPaused })}
      >
        {isPaused ? 'Resume history' : 'Pause history'}
      </Button>
      <p className={`${look('note', 'hiddenWhenEmpty')} ${classes.paused}`} role="status">
        {isPaused && 'Your history is paused. What you watch now is not added.'}
      </p>
    </>
  )
}

function ClearButton({ disabled }: { disabled: boolean }) {
  const [isAsking, setAsking] = useState(false)
  const utils = trpc.useUtils()
  const clear = trpc.history.clear.useMutation({
    onSuccess: async () => {
      setAsking(false)
      notify({ title: 'Watch history cleared' })
      await utils.history.invalidate()
    },
    onError: notifyFailure('Your watch history could not be cleared'),
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={18} stroke={1.75} aria-hidden />}
        disabled={disabled}
        onClick={() => setAsking(true)}
      >
        Clear all watch history
      </Button>
      {isAsking && (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          onConfirm={() => clear.mutate()}
          title="Clear all watch history"
          confirmLabel="Clear history"
          pendingLabel="Clearing..."
          isPending={clear.isPending}
        >
          Everything you watched is removed from this list, and every video starts from the
          beginning again. This cannot be undone.
        </ConfirmDialog>
      )}
    </>
  )
}
