import '../../kit/styles/mantine-pages.css'
import { Button, Select } from '@mantine/core'
import { IconFolder, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import type { InboxSettings, InboxStatus } from '#shared/schemas/inbox.schemas.ts'
import { countOf } from '#shared/text/format.ts'
import { FilmDrawing } from '../../kit/drawings/film-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { EntryRow } from '../../kit/list/entry-row.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { ListSkeleton } from '../list-frame.tsx'
import { useDeskAction } from '../use-desk-action.ts'
import { ImportsPanel } from './imports-panel.tsx'
import { InboxRules } from './inbox-rules.tsx'
import { UnusableFiles } from './unusable-files.tsx'

const REFRESH_MS = 5000

export function InboxPanels() {
  return (
    <>
      <FolderPanels />
      <ImportsPanel />
    </>
  )
}

function FolderPanels() {
  const settings = trpc.inbox.settings.useQuery()
  const status = trpc.inbox.status.useQuery(undefined, {
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })
  if (settings.isPending || status.isPending) return <ListSkeleton />
  const failed = settings.data ? status : settings
  if (!settings.data || !status.data) {
    return (
      <LoadError
        text={`The inbox could not be loaded: ${errorSentence(failed.error)}`}
        error={failed.error}
        onRetry={() => void failed.refetch()}
      />
    )
  }
  if (settings.data.folders.length === 0) return <TurnedOff />
  return (
    <>
      <Folders status={status.data} />
      <InboxRules rules={settings.data.rules} />
      <Originals settings={settings.data} />
      {status.data.unusable > 0 && <UnusableFiles count={status.data.unusable} />}
    </>
  )
}

function TurnedOff() {
  return (
    <EmptyState heading="h2" drawing={<FilmDrawing />} title="No folders yet">
      Set INBOX to folders on the server, such as INBOX=/srv/clips, and start the site again:
      recordings that are saved there are offered to their owners.
    </EmptyState>
  )
}

function Folders({ status }: { status: InboxStatus }) {
  const { isPaused, folders, problem } = status
  const action = useDeskAction('inbox')
  const pause = trpc.inbox.pause.useMutation(
    action({ done: isPaused ? 'Inbox resumed' : 'Inbox paused', failed: 'Not changed' }),
  )
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause
  return (
    <Panel
      title="Folders"
      about="The site checks these folders every few seconds. A recording is offered once its file has stopped changing. It belongs to the member whose username the first folder has, or else to the first admin."
      action={
        <Button
          variant={isPaused ? 'filled' : 'default'}
          leftSection={<Icon size={18} stroke={1.75} aria-hidden />}
          disabled={pause.isPending}
          onClick={() => pause.mutate({ isPaused: !isPaused })}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      }
    >
      <p role="status">{workOf(status)}</p>
      {problem && (
        <p className={look('problem')} role="alert">
          {problem}
        </p>
      )}
      <ul className={stack(0)}>
        {folders.map((one) => (
          <EntryRow
            key={one.folder}
            icon={IconFolder}
            name={one.folder}
            tag={one.problem !== null && 'Problem'}
            tone={one.problem === null ? undefined : 'wrong'}
            facts={
              one.problem === null ? (
                countOf(one.files, 'file')
              ) : (
                <span className={look('errorColor', 'breakWords')}>{one.problem}</span>
              )
            }
          />
        ))}
      </ul>
      <p className={look('note')}>
        {countsOf(status)}
        {status.lookedAt !== null && (
          <>
            {' '}
            Last look: <TimeAgo time={status.lookedAt} />
          </>
        )}
      </p>
    </Panel>
  )
}

function workOf(status: InboxStatus): string {
  const { isPaused, lookedAt, examining, unread, settling, publishing } = status
  if (isPaused) return 'Paused: no folder is checked, and nothing is published.'
  const parts = [
    ...(examining === null ? [] : [`Examining ${examining}`]),
    ...(unread > 0 ? [`${countOf(unread, 'file')} to examine`] : []),
    ...(settling > 0 ? [`${countOf(settling, 'file')} may still change`] : []),
    ...(publishing > 0 ? [`${countOf(publishing, 'recording')} to publish`] : []),
  ]
  if (parts.length > 0) return `${parts.join(' · ')}.`
  return lookedAt === null ? 'The folders will be checked soon.' : 'Nothing to do.'
}

function countsOf({ offered, published, unusable }: InboxStatus): string {
  const parts = [`${offered} offered to members`, `${published} published`]
  return `${[...parts, ...(unusable > 0 ? [`${unusable} not usable`] : [])].join(', ')}.`
}

const ORIGINALS: { value: InboxSettings['originals']; label: string; text: string }[] = [
  {
    value: 'copy',
    label: 'Copy',
    text: 'The recording is copied before it is prepared, and stays in its folder.',
  },
  {
    value: 'move',
    label: 'Move',
    text: 'The recording is deleted in its folder as soon as its video plays.',
  },
  {
    value: 'link',
    label: 'Leave in place',
    text: 'The recording is read where it is, without a copy in between, and stays in its folder.',
  },
]

const DELETED = [
  { value: 'keep', label: 'Keep the recording' },
  { value: 'delete', label: 'Delete the recording' },
] as const

const MISSING = [
  { value: 'keep', label: 'Keep the video' },
  { value: 'delete', label: 'Delete the video' },
] as const

/** Saves each change at once. */
function Originals({ settings }: { settings: InboxSettings }) {
  const { originals, whenDeleted, whenMissing } = settings
  const action = useDeskAction('inbox')
  const save = trpc.inbox.saveSettings.useMutation(
    action({ done: 'Inbox saved', failed: 'Not saved' }),
  )
  return (
    <Panel title="Recordings and their videos">
      <div className={stack(16, 'max760')}>
        <Select<InboxSettings['originals']>
          label="Publishing"
          description={ORIGINALS.find(({ value }) => value === originals)?.text}
          data={ORIGINALS}
          value={originals}
          onChange={(value) => value && save.mutate({ originals: value, was: { originals } })}
        />
        <Select<InboxSettings['whenDeleted']>
          label="When a video is deleted here"
          data={DELETED}
          value={whenDeleted}
          onChange={(value) => value && save.mutate({ whenDeleted: value, was: { whenDeleted } })}
        />
        <Select<InboxSettings['whenMissing']>
          label="When a recording is deleted in its folder"
          description="Once it has been gone for an hour, and its folder has other files."
          data={MISSING}
          value={whenMissing}
          onChange={(value) => value && save.mutate({ whenMissing: value, was: { whenMissing } })}
        />
      </div>
    </Panel>
  )
}
