import { useRef, useState } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import type { Setup, SetupStep } from '#shared/schemas/desk/setup.schemas.ts'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { WorkBar } from '../../kit/list/work-bar.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'
import { ListSkeleton } from '../list-frame.tsx'
import { ClipStep } from './clip-step.tsx'
import { ReachStep } from './reach-step.tsx'
import { SettingsStep } from './settings-step.tsx'
import styles from './setup.module.css'
import { SetupStepFrame } from './setup-step-frame.tsx'
import { openSteps } from './setup-words.ts'

/** Detects the first video without a reload. */
const REFRESH_MS = 5000

/** Steps can be skipped and resumed. */
export function SetupChecklist() {
  const setup = trpc.setup.get.useQuery(undefined, {
    refetchInterval: ({ state }) => (state.data?.firstVideo === null ? REFRESH_MS : false),
  })
  if (setup.isPending) return <ListSkeleton />
  if (!setup.data) {
    return (
      <LoadError
        error={setup.error}
        text={`The checklist could not be loaded: ${errorSentence(setup.error)}`}
        onRetry={() => void setup.refetch()}
      />
    )
  }
  return <Checklist setup={setup.data} />
}

function Checklist({ setup }: { setup: Setup }) {
  const utils = trpc.useUtils()
  const list = useRef<HTMLOListElement>(null)
  const foot = useRef<HTMLElement>(null)
  const left = openSteps(setup)
  // The first incomplete step by default.
  const [chosen, setChosen] = useState<{ step: SetupStep | undefined }>()
  const current = chosen ? chosen.step : left[0]
  const mark = trpc.setup.mark.useMutation({
    onSuccess: () => utils.setup.get.invalidate(),
    onError: notifyFailure('Not saved'),
  })
  const finishStep = async (step: SetupStep, state: 'done' | 'skipped') => {
    await mark.mutateAsync({ step, state })
    const next = left.find((one) => one !== step)
    setChosen({ step: next })
    const target = next
      ? list.current?.querySelector<HTMLElement>(`[data-step="${next}"]`)
      : foot.current
    target?.focus()
  }
  const settled = setup.steps.length - left.length
  return (
    <div className={stack(24, 'max760')}>
      <section className={stack(8)} aria-labelledby="welcome-title">
        <h2 id="welcome-title" className={look('size22')}>
          Welcome, this is your site
        </h2>
        <p className={look('muted')}>
          A few things to decide before others arrive. Skip what you like: everything can be changed
          later, under Settings.
        </p>
        <div className={styles.progress}>
          <WorkBar label="Set-up" percent={(100 * settled) / setup.steps.length} height={6} />
          <span>
            {settled} of {setup.steps.length}
          </span>
        </div>
      </section>
      <ol ref={list} className={stack(12)}>
        {setup.steps.map(({ name, state }, index) => {
          const props = {
            onDone: () => finishStep(name, 'done'),
            onSkip: state === 'open' ? () => finishStep(name, 'skipped') : undefined,
          }
          return (
            <SetupStepFrame
              key={name}
              step={name}
              number={index + 1}
              state={state}
              isOpen={name === current}
              onToggle={() => setChosen({ step: name === current ? undefined : name })}
            >
              {name === 'reach' ? (
                <ReachStep {...props} />
              ) : name === 'clip' ? (
                <ClipStep {...props} firstVideo={setup.firstVideo} />
              ) : (
                <SettingsStep {...props} step={name} />
              )}
            </SetupStepFrame>
          )
        })}
      </ol>
      <section
        ref={foot}
        tabIndex={-1}
        className={stack(12, 'pad16', 'card', 'soft')}
        hidden={left.length > 0}
        aria-labelledby="finished-title"
      >
        <h2 id="finished-title" className={look('heading')}>
          Your site is set up
        </h2>
        <p className={look('muted')}>
          This checklist is hidden now. The overview still links to it.
        </p>
        <div className={`${classes.row} ${row([8, 16], 'wrap')}`}>
          <LinkButton to="/">Open the home page</LinkButton>
          <LinkButton
            to="/admin/$section"
            params={{ section: 'members' }}
            search={{ show: 'invites' }}
            variant="default"
          >
            Invite members
          </LinkButton>
        </div>
      </section>
    </div>
  )
}
