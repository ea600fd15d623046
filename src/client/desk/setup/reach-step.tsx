import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { beside, look, stack, wrapped } from '#client/kit/layout/layout.ts'
import { LoadError } from '../../kit/list/load-error.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { ListSkeleton } from '../list-frame.tsx'
import { describeReach, type ReachFinding } from './reach-findings.ts'
import styles from './setup.module.css'
import { StepActions, type StepProps } from './step-actions.tsx'

const TONES = {
  good: { Icon: IconCircleCheck, name: 'OK' },
  note: { Icon: IconInfoCircle, name: 'Note' },
  act: { Icon: IconAlertTriangle, name: 'Action needed' },
}

/** As the server sees this request. */
export function ReachStep({ onDone, onSkip }: StepProps) {
  const reach = trpc.setup.reach.useQuery(undefined, { staleTime: 0 })
  if (reach.isPending) return <ListSkeleton />
  if (!reach.data) {
    return (
      <LoadError
        error={reach.error}
        text={`This could not be checked: ${errorSentence(reach.error)}`}
        onRetry={() => void reach.refetch()}
      />
    )
  }
  return (
    <div className={styles.form}>
      <ul className={stack(16)}>
        {describeReach(reach.data, location.origin).map((finding) => (
          <Finding key={finding.title} finding={finding} />
        ))}
      </ul>
      <p className={look('muted')}>
        Lines in capitals go into the file .env of the site, or into its environment; start it again
        after a change.
      </p>
      <StepActions onSkip={onSkip}>
        <Button onClick={() => void onDone().catch(() => {})}>Keep as it is</Button>
        <Button variant="default" disabled={reach.isFetching} onClick={() => void reach.refetch()}>
          {reach.isFetching ? 'Checking...' : 'Check again'}
        </Button>
      </StepActions>
    </div>
  )
}

export function Finding({ finding: { tone, title, text, lines } }: { finding: ReachFinding }) {
  const { Icon, name } = TONES[tone]
  return (
    <li className={`${styles.finding} ${beside(12, 'breakWords')}`} data-tone={tone}>
      <Icon size={20} stroke={1.75} role="img" aria-label={name} />
      <div>
        <h3 className={look('label')}>{title}</h3>
        <p className={look('muted')}>{text}</p>
        {lines && (
          <ul className={`${wrapped(8)} ${styles.lines}`}>
            {lines.map((line) => (
              <li key={line}>
                <code>{line}</code>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}
