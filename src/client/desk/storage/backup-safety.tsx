import { Button } from '@mantine/core'
import { look } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import type { BackupSafety as Safety } from '#shared/schemas/desk/storage.schemas.ts'
import { countOf, formatBytes } from '#shared/text/format.ts'
import { LoadError } from '../../kit/list/load-error.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'

const REFRESH_MS = 2000

/** Off-site copies and restore drills. */
export function BackupSafety() {
  const utils = trpc.useUtils()
  const safety = trpc.backup.safety.useQuery(undefined, {
    refetchInterval: ({ state }) =>
      state.data?.lastDrill?.state === 'running' ? REFRESH_MS : false,
  })
  const start = trpc.backup.startDrill.useMutation({
    onSuccess: () => utils.backup.safety.invalidate(),
    onError: notifyFailure('Not tried'),
  })
  if (safety.isError) {
    return (
      <LoadError
        error={safety.error}
        text={`How safe the backups are could not be loaded: ${errorSentence(safety.error)}`}
        onRetry={() => void safety.refetch()}
      />
    )
  }
  const isRunning = safety.data?.lastDrill?.state === 'running' || start.isPending
  return (
    <Panel
      title="Can it be restored?"
      action={
        <Button variant="default" disabled={isRunning} onClick={() => start.mutate()}>
          {isRunning ? 'Restoring...' : 'Try a restore'}
        </Button>
      }
    >
      <div data-unknown={!safety.data || undefined} aria-live="polite">
        <Proof safety={safety.data} />
        <p className={look('muted')}>
          {describeContent(safety.data)}
          {describePlace(safety.data)} Once a month the newest backup is restored into a temporary
          folder, and its videos are compared with its files.
        </p>
      </div>
    </Panel>
  )
}

function Proof({ safety }: { safety: Safety | undefined }) {
  const drill = safety?.lastDrill
  const proof = safety?.lastProof
  return (
    <>
      {proof ? (
        <p>
          Last proven restore: <TimeAgo time={proof.finishedAt ?? proof.startedAt} />. Found in it:{' '}
          {countOf(proof.videos ?? 0, 'video')} and {countOf(proof.files ?? 0, 'file')}, together{' '}
          {formatBytes(proof.bytes ?? 0)}.
        </p>
      ) : (
        <p>No restore has been tested yet.</p>
      )}
      {drill?.state === 'failed' && (
        <p className={look('errorColor')}>
          The last try failed <TimeAgo time={drill.startedAt} />: {drill.error}
        </p>
      )}
    </>
  )
}

function describeContent(safety: Safety | undefined): string {
  if (!safety?.mediaStore) return ''
  return `A backup holds the database and a list of the media, which stay in ${safety.mediaStore} alone. `
}

function describePlace(safety: Safety | undefined): string {
  if (!safety?.offsite) {
    return 'Backups are only on the disk of the site. Set BACKUP_TARGET to send copies elsewhere.'
  }
  const { target, isEncrypted } = safety.offsite
  return isEncrypted
    ? `Each backup also goes to ${target}, encrypted.`
    : `Each backup also goes to ${target}.`
}
