import { Button } from '@mantine/core'
import { IconCloudUpload, IconDownload, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { nextPage } from '#client/platform/next-page.ts'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import type { Backup } from '#shared/schemas/desk/storage.schemas.ts'
import { countOf, formatBytes } from '#shared/text/format.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { StackDrawing } from '../../kit/drawings/stack-drawing.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { trpc } from '../../trpc.ts'
import { AddressFilterBox } from '../address-filter-box.tsx'
import classes from '../admin.module.css'
import { type Column, DeskTable } from '../desk-table.tsx'
import { StateLabel } from '../moderation/subject.tsx'
import { RowButton } from '../row-button.tsx'
import { useAddress } from '../use-address.ts'
import { useDeskAction } from '../use-desk-action.ts'
import { BackupSafety } from './backup-safety.tsx'
import { BackupSchedule } from './backup-schedule.tsx'

const LABELS = { running: 'Being made', done: 'Verified', failed: 'Failed' }
const SENT = { sending: 'Being sent', sent: 'Sent', failed: 'Not sent' }
const REFRESH_MS = 2000

const isUnderWay = (backup: Backup | undefined) =>
  backup?.state === 'running' || backup?.sendState === 'sending'

const COLUMNS: Column<Backup>[] = [
  {
    title: 'Made',
    cell: ({ startedAt, cause }) => (
      <>
        <TimeAgo time={startedAt} />
        {cause === 'nightly' && <span className={look('muted')}> · nightly</span>}
      </>
    ),
  },
  {
    title: 'State',
    isUntitled: true,
    cell: ({ state, error, sendState, sendError }) => (
      <>
        <StateLabel state={state}>{LABELS[state]}</StateLabel>
        {error && <p className={look('errorColor')}>{error}</p>}
        {sendState && <p className={look('muted')}>{SENT[sendState]}</p>}
        {sendError && <p className={look('errorColor')}>{sendError}</p>}
      </>
    ),
  },
  {
    title: 'Holds',
    cell: ({ videos, members }) =>
      videos !== null && `${countOf(videos, 'video')}, ${countOf(members ?? 0, 'member')}`,
  },
  { title: 'Size', isNumber: true, cell: ({ bytes }) => bytes !== null && formatBytes(bytes) },
]

export function Backups() {
  const { search } = useAddress()
  const backups = trpc.backup.list.useInfiniteQuery(
    { q: search.q },
    {
      ...nextPage,
      refetchInterval: ({ state }) =>
        isUnderWay(state.data?.pages[0]?.items[0]) ? REFRESH_MS : false,
    },
  )
  const safety = trpc.backup.safety.useQuery()
  const action = useDeskAction('backup', 'overview')
  const start = trpc.backup.start.useMutation(action({ failed: 'No backup' }))
  const send = trpc.backup.send.useMutation(action({ failed: 'Not sent' }))
  const remove = trpc.backup.delete.useMutation(action({ done: 'Backup deleted' }))
  const download = trpc.backup.prepareDownload.useMutation({
    onSuccess: (_, { id }) => location.assign(`/api/backups/${id}/download`),
    onError: notifyFailure('No download'),
  })
  const [deleted, setDeleted] = useState<Backup>()
  const elsewhere = safety.data?.isMadeHere === false ? safety.data : undefined
  const isRunning = backups.data?.pages[0]?.items[0]?.state === 'running' || start.isPending
  return (
    <>
      {elsewhere ? (
        <BackedUpElsewhere mediaStore={elsewhere.mediaStore} />
      ) : (
        <>
          <MakeBackup
            isRunning={isRunning}
            content={safety.data && (safety.data.mediaStore ? 'a list of the media' : 'all media')}
            onStart={() => start.mutate()}
          />
          <BackupSchedule />
          <BackupSafety />
        </>
      )}
      <div className={`${classes.toolbar} ${row([8, 16], 'wrap', 'below16')}`}>
        <AddressFilterBox label="Filter by day, kind or state" />
      </div>
      <DeskTable
        query={backups}
        empty={
          search.q
            ? { drawing: <StackDrawing />, title: 'No such backup' }
            : {
                drawing: <StackDrawing />,
                title: 'No backups yet',
                ...(!elsewhere && { text: 'Make the first one.' }),
              }
        }
        columns={COLUMNS}
        actions={(backup) => (
          <>
            {backup.sendState === 'failed' && (
              <RowButton
                name="Send again"
                label={`Send backup ${backup.name} again`}
                Icon={IconCloudUpload}
                onPress={() => send.mutate({ id: backup.id })}
              />
            )}
            {backup.state === 'done' && (
              <RowButton
                name="Download"
                label={`Download backup ${backup.name}`}
                Icon={IconDownload}
                onPress={() => download.mutate({ id: backup.id })}
              />
            )}
            {backup.state !== 'running' && (
              <RowButton
                name="Delete"
                label={`Delete backup ${backup.name}`}
                Icon={IconTrash}
                isDanger
                onPress={() => setDeleted(backup)}
              />
            )}
          </>
        )}
      />
      {deleted && (
        <AskDialog
          title="Delete this backup?"
          confirmLabel="Delete"
          pendingLabel="Deleting..."
          isDanger
          onConfirm={() => remove.mutateAsync({ id: deleted.id })}
          onClose={() => setDeleted(undefined)}
        >
          Backup {deleted.name} goes for good. The site itself stays as it is.
        </AskDialog>
      )}
    </>
  )
}

type MakeBackupProps = {
  isRunning: boolean
  /** Besides the database; undefined until known. */
  content: string | undefined
  onStart: () => void
}

function MakeBackup({ isRunning, content, onStart }: MakeBackupProps) {
  return (
    <Panel
      title="Make a backup"
      action={
        <Button disabled={isRunning} onClick={onStart}>
          {isRunning ? 'Being made...' : 'Back up now'}
        </Button>
      }
    >
      <div
        className={`${stack(12)} ${classes.boxes}`}
        data-unknown={content === undefined || undefined}
      >
        <p className={look('muted')}>
          The database and {content ?? 'all media'}, checked by opening it. To put one back: npm run
          restore.
        </p>
      </div>
    </Panel>
  )
}

function BackedUpElsewhere({ mediaStore }: { mediaStore: string | null }) {
  return (
    <Panel title="Backed up elsewhere">
      <p className={look('muted')}>
        The database of this site is on PostgreSQL: back it up with pg_dump, or with the snapshots
        of whoever runs it. The media stay in {mediaStore}, which needs versions or a copy of its
        own. Below are backups from before.
      </p>
    </Panel>
  )
}
