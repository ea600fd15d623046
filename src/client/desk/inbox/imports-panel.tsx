import '../../kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { IconDatabaseImport, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { Panel } from '#client/kit/panel/panel.tsx'
import type { ImportRun } from '#shared/schemas/desk/import.schemas.ts'
import { countOf, formatBytes } from '#shared/text/format.ts'
import { EntryRow, EntryRowsSkeleton } from '../../kit/list/entry-row.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { WorkBar } from '../../kit/list/work-bar.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { useDeskAction } from '../use-desk-action.ts'
import { SOURCE_NAMES, STATE_WORDS } from './import-words.ts'

const StartImport = lazyPart(() => import('./start-import.tsx'))
const ImportReport = lazyPart(() => import('./import-report.tsx'))

const REFRESH_MS = 2000

const isUnderWay = ({ state }: ImportRun) => state === 'running' || state === 'stopping'

type Opened = { as: 'start' | 'report'; run?: ImportRun }

export function ImportsPanel() {
  const runs = trpc.import.list.useQuery(undefined, {
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? REFRESH_MS : false),
  })
  const [opened, setOpened] = useState<Opened>()
  const current = runs.data?.find(isUnderWay)
  const close = () => setOpened(undefined)
  return (
    <Panel
      title="Imports from other programs"
      about="Fireshare, PeerTube, MediaCMS, Medal and Steam. Nothing is imported twice, so an import can be repeated or continued."
      action={
        <Button
          variant="default"
          leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
          disabled={current !== undefined}
          onClick={() => setOpened({ as: 'start' })}
        >
          Start an import
        </Button>
      }
    >
      {runs.isPending && <EntryRowsSkeleton count={2} label="Loading imports" />}
      {runs.isError && !runs.data && (
        <LoadError
          text={`The imports could not be loaded: ${errorSentence(runs.error)}`}
          error={runs.error}
          onRetry={() => void runs.refetch()}
        />
      )}
      {current && <CurrentImport run={current} />}
      {runs.data?.length === 0 && (
        <p className={look('muted')} role="status">
          Nothing has been imported yet.
        </p>
      )}
      <ul className={stack(0)}>
        {runs.data
          ?.filter((run) => run !== current)
          .map((run) => (
            <PastImport key={run.id} run={run} isIdle={!current} onOpen={setOpened} />
          ))}
      </ul>
      {opened?.as === 'start' && (
        <StartImport before={opened.run?.again ?? undefined} onClose={close} />
      )}
      {opened?.as === 'report' && opened.run && <ImportReport run={opened.run} onClose={close} />}
    </Panel>
  )
}

function CurrentImport({ run }: { run: ImportRun }) {
  const { id, source, ownerName, state, progress } = run
  const action = useDeskAction('import')
  const stop = trpc.import.stop.useMutation(action({ failed: 'Not stopped' }))
  const name = `${SOURCE_NAMES[source]} for @${ownerName}`
  const isStopping = state === 'stopping' || stop.isPending
  const percent = progress?.allBytes ? (progress.bytes / progress.allBytes) * 100 : 0
  return (
    <div className={stack(8, 'framed', 'pad12')}>
      <div className={row([4, 12], 'wrap', 'between')}>
        <p role="status" className={look('breakWords')}>
          {name}: {isStopping ? 'stopping after this piece' : progressOf(run)}
        </p>
        <Button
          size="sm"
          variant="default"
          aria-label={`Stop the import from ${name}`}
          disabled={isStopping}
          onClick={() => stop.mutate({ id })}
        >
          Stop
        </Button>
      </div>
      <WorkBar label={`Import from ${name}`} percent={percent} />
    </div>
  )
}

function progressOf({ progress }: ImportRun): string {
  if (!progress) return 'reading the library'
  const { done, all, bytes, allBytes } = progress
  const size = allBytes > 0 ? `, ${formatBytes(bytes)} of ${formatBytes(allBytes)}` : ''
  return `${done} of ${countOf(all, 'video')}${size}`
}

type PastProps = { run: ImportRun; isIdle: boolean; onOpen: (opened: Opened) => void }

function PastImport({ run, isIdle, onOpen }: PastProps) {
  const { source, given, ownerName, state, startedAt, report, error, again } = run
  const name = `${SOURCE_NAMES[source]} for @${ownerName}`
  const isOver = state === 'done'
  const problems = report?.problemCount ?? 0
  return (
    <EntryRow
      icon={IconDatabaseImport}
      name={name}
      hint={given}
      tag={STATE_WORDS[state]}
      tone={state === 'failed' ? 'wrong' : undefined}
      facts={
        <>
          {report && `${countOf(report.imported, 'video')} imported · `}
          {problems > 0 && `${countOf(problems, 'problem')} · `}
          <TimeAgo time={startedAt} />
          {error && <span className={look('block', 'errorColor', 'breakWords')}>{error}</span>}
        </>
      }
      action={
        <div className={row(8, 'wrap')}>
          {report && (
            <Button
              size="sm"
              variant="default"
              aria-label={`Report of ${name}`}
              onClick={() => onOpen({ as: 'report', run })}
            >
              Report
            </Button>
          )}
          {again && (
            <Button
              size="sm"
              variant="default"
              aria-label={`${isOver ? 'Repeat' : 'Continue'} ${name}`}
              disabled={!isIdle}
              onClick={() => onOpen({ as: 'start', run })}
            >
              {isOver ? 'Repeat' : 'Continue'}
            </Button>
          )}
        </div>
      }
    />
  )
}
