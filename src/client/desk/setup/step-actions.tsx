import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { row } from '#client/kit/layout/layout.ts'
import classes from '../admin.module.css'

export type StepProps = {
  onDone: () => Promise<void>
  /** Undefined when there is nothing to skip. */
  onSkip: (() => Promise<void>) | undefined
}

type StepActionsProps = Pick<StepProps, 'onSkip'> & { isBusy?: boolean; children: ReactNode }

/** The main action, then 'Skip'. */
export function StepActions({ onSkip, isBusy = false, children }: StepActionsProps) {
  return (
    <div className={`${classes.row} ${row([8, 16], 'wrap')}`}>
      {children}
      {onSkip && (
        <Button variant="subtle" disabled={isBusy} onClick={() => void onSkip().catch(() => {})}>
          Skip
        </Button>
      )}
    </div>
  )
}
