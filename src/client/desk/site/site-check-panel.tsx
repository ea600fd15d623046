import { Button } from '@mantine/core'
import { look } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import type { SiteCheck } from '#shared/schemas/desk/storage.schemas.ts'
import { WorkBar } from '../../kit/list/work-bar.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'

const REFRESH_MS = 1000

/** Runs in the background. */
export function SiteCheckPanel() {
  const utils = trpc.useUtils()
  const check = trpc.storage.check.useQuery(undefined, {
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? REFRESH_MS : false),
  })
  const start = trpc.storage.startCheck.useMutation({
    onSuccess: (begun) => utils.storage.check.setData(undefined, begun),
    onError: notifyFailure('Not checked'),
  })
  const isRunning = check.data?.state === 'running' || start.isPending
  return (
    <Panel
      title="Missing and orphaned files"
      action={
        <Button variant="default" disabled={isRunning} onClick={() => start.mutate()}>
          {isRunning ? 'Checking...' : 'Check now'}
        </Button>
      }
    >
      {check.data ? <Result check={check.data} /> : <p>Not checked yet.</p>}
    </Panel>
  )
}

function Result({ check }: { check: SiteCheck }) {
  const { state, percent, problemCount, problems, videos, files, error } = check
  if (state === 'running') {
    return <WorkBar label={`${Math.round(percent)}% checked`} percent={percent} height={6} />
  }
  const when = <TimeAgo time={check.finishedAt ?? check.startedAt} />
  if (state === 'failed') {
    return (
      <p className={look('errorColor')}>
        The check failed ({when}): {error}
      </p>
    )
  }
  if (problemCount === 0) {
    return (
      <p>
        All is well: {videos} videos and {files} files agree ({when}).
      </p>
    )
  }
  return (
    <>
      <p>
        {problemCount} {problemCount === 1 ? 'problem' : 'problems'} ({when}).
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard. */}
      <pre className={classes.log} tabIndex={0}>
        {problems.map(({ kind, text }) => `${kind}: ${text}`).join('\n')}
      </pre>
    </>
  )
}
