import { Button } from '@mantine/core'
import { IconFileZip } from '@tabler/icons-react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { EntryRow, EntryRowsSkeleton } from '#client/kit/list/entry-row.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { DataExport } from '#shared/schemas/settings.schemas.ts'
import { countOf, formatBytes, formatDate } from '#shared/text/format.ts'

const ExportProgress = lazyPart(() => import('./export-progress.tsx'))

const REFRESH_MS = 1000

const isUnderWay = (data: DataExport | null | undefined) =>
  data?.state === 'queued' || data?.state === 'running'

/** Prepares and downloads an archive of the member's data. */
export default function YourData() {
  const utils = trpc.useUtils()
  const found = trpc.settings.dataExport.useQuery(undefined, {
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? REFRESH_MS : false),
  })
  const prepare = trpc.settings.askForData.useMutation({
    onError: notifyFailure('Not prepared'),
    onSettled: () => utils.settings.dataExport.invalidate(),
  })
  if (found.isPending) return <EntryRowsSkeleton count={1} label="Loading your download" />
  if (found.data === undefined) {
    return <LoadError error={found.error} onRetry={() => void found.refetch()} />
  }
  const { data } = found
  const isBusy = isUnderWay(data) || prepare.isPending
  return (
    <div className={stack(16)}>
      {isBusy && <ExportProgress percent={data?.percent ?? 0} />}
      {data?.state === 'done' && <ReadyDownload data={data} />}
      {data?.state === 'failed' && (
        <p className={look('problem')} role="alert">
          {data.error}
        </p>
      )}
      {!isBusy && (
        <div>
          <Button variant="default" onClick={() => prepare.mutate()}>
            {data ? 'Prepare a new download' : 'Prepare a download'}
          </Button>
        </div>
      )}
    </div>
  )
}

function ReadyDownload({ data }: { data: DataExport }) {
  const { bytes, fileCount, finishedAt, createdAt, expiresAt } = data
  const utils = trpc.useUtils()
  const download = trpc.settings.prepareDownload.useMutation({
    onSuccess: () => location.assign('/api/settings/data/download'),
    onError: (error) => {
      notifyFailure('No download')(error)
      return utils.settings.dataExport.invalidate()
    },
  })
  return (
    <ul>
      <EntryRow
        icon={IconFileZip}
        name="clutch-data.tar"
        facts={
          <>
            {formatBytes(bytes)} · account.json
            {fileCount > 0 && ` and ${countOf(fileCount, 'file')}`} · prepared{' '}
            <TimeAgo time={finishedAt ?? createdAt} /> · until {formatDate(expiresAt)}
          </>
        }
        action={
          <Button
            aria-label="Download clutch-data.tar"
            disabled={download.isPending}
            onClick={() => download.mutate()}
          >
            {download.isPending ? 'Starting...' : 'Download'}
          </Button>
        }
      />
    </ul>
  )
}
