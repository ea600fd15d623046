import '#client/kit/styles/mantine-pages.css'
import { Button, Radio } from '@mantine/core'
import { IconFileZip } from '@tabler/icons-react'
import { useState } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { EntryRow, EntryRowsSkeleton } from '#client/kit/list/entry-row.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import { DATA_ARCHIVES } from '#shared/data-archives.ts'
import type { DataExport, DataExportFormat } from '#shared/schemas/settings.schemas.ts'
import { countOf, formatBytes, formatDate } from '#shared/text/format.ts'

const ExportProgress = lazyPart(() => import('./export-progress.tsx'))

const REFRESH_MS = 1000

const isUnderWay = (data: DataExport | null | undefined) =>
  data?.state === 'queued' || data?.state === 'running'

const FORMATS: { format: DataExportFormat; label: string; text: string }[] = [
  {
    ...{ format: 'clutch', label: 'Everything' },
    text: 'What the site knows about you, and your videos and clips as they are stored.',
  },
  {
    ...{ format: 'peertube', label: 'Videos for another site' },
    text: 'Your videos with captions, chapters and playlists. PeerTube and other Clutch sites can import it.',
  },
]

/** Prepares and downloads an archive of the member's data. */
export default function YourData() {
  const utils = trpc.useUtils()
  const [format, setFormat] = useState<DataExportFormat>('clutch')
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
        <>
          <Radio.Group
            label="Content"
            value={format}
            onChange={(value) => setFormat(value as DataExportFormat)}
          >
            <div className={stack(12, 'above8')}>
              {FORMATS.map(({ format, label, text }) => (
                <Radio key={format} value={format} label={label} description={text} />
              ))}
            </div>
          </Radio.Group>
          <div>
            <Button variant="default" onClick={() => prepare.mutate({ format })}>
              {data ? 'Prepare a new download' : 'Prepare a download'}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

function ReadyDownload({ data }: { data: DataExport }) {
  const { format, bytes, fileCount, finishedAt, createdAt, expiresAt } = data
  const name = DATA_ARCHIVES[format]
  const content = format === 'clutch' ? 'account.json and ' : ''
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
        name={name}
        facts={
          <>
            {formatBytes(bytes)} · {content}
            {countOf(fileCount, 'file')} · prepared <TimeAgo time={finishedAt ?? createdAt} /> ·
            until {formatDate(expiresAt)}
          </>
        }
        action={
          <Button
            aria-label={`Download ${name}`}
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
