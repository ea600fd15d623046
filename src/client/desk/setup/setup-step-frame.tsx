import { UnstyledButton } from '@mantine/core'
import { IconCheck, IconChevronDown, IconMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import type { SetupStep } from '#shared/schemas/desk/setup.schemas.ts'
import styles from './setup.module.css'
import { STEP_WORDS } from './setup-words.ts'

type SetupStepFrameProps = {
  step: SetupStep
  number: number
  state: 'open' | 'done' | 'skipped'
  isOpen: boolean
  onToggle: () => void
  children: ReactNode
}

/** Collapsed to a line with its state. */
export function SetupStepFrame(props: SetupStepFrameProps) {
  const { step, number, state, isOpen, onToggle, children } = props
  const { title, text } = STEP_WORDS[step]
  const id = `step-${step}`
  return (
    <li className={`${look('framed')} ${styles.step}`} data-open={isOpen || undefined}>
      <h2>
        <UnstyledButton
          className={`${row(16, 'fullWidth', 'pad16', 'card')} ${styles.head}`}
          data-step={step}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
        >
          <span className={styles.number} data-state={state}>
            {state === 'open' && number}
            {state === 'done' && <IconCheck size={18} stroke={2} aria-hidden />}
            {state === 'skipped' && <IconMinus size={18} stroke={2} aria-hidden />}
          </span>
          <span className={stack(0, 'fill')}>
            <span className={look('heading')}>{title}</span>
            <span className={look('note', 'bodyFont')}>{text}</span>
          </span>
          {state !== 'open' && (
            <span className={look('noShrink', 'note', 'bodyFont')}>
              {state === 'done' ? 'Done' : 'Skipped'}
            </span>
          )}
          <IconChevronDown className={styles.chevron} size={20} stroke={1.75} aria-hidden />
        </UnstyledButton>
      </h2>
      {isOpen && (
        <section id={id} className={styles.body} aria-label={title}>
          {children}
        </section>
      )}
    </li>
  )
}
