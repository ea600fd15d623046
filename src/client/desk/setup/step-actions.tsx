import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from '../admin.module.css'

/** What every step takes: how it is left. */
export type StepProps = {
  onDone: () => Promise<void>
  /** Missing where there is nothing to skip any more. */
  onSkip: (() => Promise<void>) | undefined
}

type StepActionsProps = Pick<StepProps, 'onSkip'> & { isBusy?: boolean; children: ReactNode }

/** The ways out of a step: what settles it, then 'Skip'. */
export function StepActions({ onSkip, isBusy = false, children }: StepActionsProps) {
  return (
    <div className={classes.row}>
      {children}
      {onSkip && (
        <Button variant="subtle" disabled={isBusy} onClick={() => void onSkip().catch(() => {})}>
          Skip
        </Button>
      )}
    </div>
  )
}
