import '../../kit/styles/mantine-pages.css'
import { Button, Table } from '@mantine/core'
import { IconCloudUpload, IconDownload, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { stack, textStyles } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { notifyDone, notifyFailure } from '#client/platform/notify-outcome.ts'
import type { Backup } from '#shared/schemas/desk/storage.schemas.ts'
import { countOf, formatBytes } from '#shared/text/format.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { StackDrawing } from '../../kit/drawings/stack-drawing.tsx'
import { FramedTable } from '../../kit/list/framed-table.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'
import { FilterBox } from '../filter-box.tsx'
import { ListFrame, nextPage } from '../list-frame.tsx'
import { State } from '../moderation/subject.tsx'
import { RowButton } from '../row-button.tsx'
import { useAddress } from '../use-address.ts'
import { BackupSafety } from './backup-safety.tsx'
import { BackupSchedule } from './backup-schedule.tsx'

const LABELS = { running: 'Being made', done: 'Verified', failed: 'Failed' }
const SENT = { sending: 'Being sent', sent: 'Sent', failed: 'Not sent' }
const REFRESH_MS = 2000

export function Backups() {
  const utils = trpc.useUtils()
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
  const refresh = () => Promise.all([utils.backup.invalidate(), utils.overview.invalidate()])
  const start = trpc.backup.start.useMutation({
    onSuccess: refresh,
    onError: notifyFailure('No backup'),
  })
  const remove = trpc.backup.delete.useMutation({
    onSuccess: notifyDone('Backup deleted', refresh),
  })
  const download = trpc.backup.prepareDownload.useMutation({
    onSuccess: (_, { id }) => location.assign(`/api/backups/${id}/download`),
    onError: notifyFailure('No download'),
  })
  const send = trpc.backup.send.useMutation({
    onSuccess: refresh,
    onError: notifyFailure('Not sent'),
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
      <div className={classes.toolbar}>
        <FilterBox label="Filter by day, kind or state" />
      </div>
      <ListFrame
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
      >
        {(items) => (
          <BackupTable
            backups={items}
            onDownload={({ id }) => download.mutate({ id })}
            onSend={({ id }) => send.mutate({ id })}
            onDelete={setDeleted}
          />
        )}
      </ListFrame>
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
        <p className={textStyles.muted}>
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
      <p className={textStyles.muted}>
        The database of this site is on PostgreSQL: back it up with pg_dump, or with the snapshots
        of whoever runs it. The media stay in {mediaStore}, which needs versions or a copy of its
        own. Below are backups from before.
      </p>
    </Panel>
  )
}

type BackupTableProps = {
  backups: Backup[]
  onDownload: (backup: Backup) => void
  onSend: (backup: Backup) => void
  onDelete: (backup: Backup) => void
}

const isUnderWay = (backup: Backup | undefined) =>
  backup?.state === 'running' || backup?.sendState === 'sending'

function BackupTable({ backups, onDownload, onSend, onDelete }: BackupTableProps) {
  return (
    <FramedTable>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Made</Table.Th>
          <Table.Th scope="col">State</Table.Th>
          <Table.Th scope="col">Holds</Table.Th>
          <Table.Th scope="col" data-number>
            Size
          </Table.Th>
          <Table.Th scope="col">
            <span className="visually-hidden">Actions</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {backups.map((backup) => (
          <Table.Tr key={backup.id}>
            <Table.Td>
              <TimeAgo time={backup.startedAt} />
              {backup.cause === 'nightly' && <span className={textStyles.muted}> · nightly</span>}
            </Table.Td>
            <Table.Td>
              <State state={backup.state}>{LABELS[backup.state]}</State>
              {backup.error && <p className={classes.wrong}>{backup.error}</p>}
              {backup.sendState && <p className={textStyles.muted}>{SENT[backup.sendState]}</p>}
              {backup.sendError && <p className={classes.wrong}>{backup.sendError}</p>}
            </Table.Td>
            <Table.Td data-label="Holds">
              {backup.videos !== null &&
                `${countOf(backup.videos, 'video')}, ${countOf(backup.members ?? 0, 'member')}`}
            </Table.Td>
            <Table.Td data-label="Size" data-number>
              {backup.bytes !== null && formatBytes(backup.bytes)}
            </Table.Td>
            <Table.Td>
              <div className={classes.actions}>
                {backup.sendState === 'failed' && (
                  <RowButton
                    name="Send again"
                    label={`Send backup ${backup.name} again`}
                    Icon={IconCloudUpload}
                    onPress={() => onSend(backup)}
                  />
                )}
                {backup.state === 'done' && (
                  <RowButton
                    name="Download"
                    label={`Download backup ${backup.name}`}
                    Icon={IconDownload}
                    onPress={() => onDownload(backup)}
                  />
                )}
                {backup.state !== 'running' && (
                  <RowButton
                    name="Delete"
                    label={`Delete backup ${backup.name}`}
                    Icon={IconTrash}
                    isDanger
                    onPress={() => onDelete(backup)}
                  />
                )}
              </div>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </FramedTable>
  )
}
