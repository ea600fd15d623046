import { look, stack } from '../layout/layout.ts'
import '../styles/mantine-pages.css'
import { Button, Textarea } from '@mantine/core'
import { useId } from 'react'
import { flushSync } from 'react-dom'
import classes from './conflict-panel.module.css'
import type { EditConflictsProps } from './use-edit-form.ts'

const LONG = 90
const LINES_MAX = 6

/** Offers both values of each conflicting field, then sends the edit again. */
export default function ConflictPanel({ form, onSend }: EditConflictsProps) {
  const id = useId()
  const { conflicts } = form
  const choose = (button: HTMLButtonElement, field: string, choice: 'mine' | 'theirs') => {
    const around = button.form
    const panel = button.closest<HTMLElement>('[role=alert]')
    // Flushes, so that the submit has the new values.
    const { isLast, isToSend } = flushSync(() => form.resolve(field, choice))
    if (isLast && isToSend) {
      if (onSend) onSend()
      else around?.requestSubmit()
    }
    if (isLast) focusField(around, field)
    else panel?.focus()
  }
  return (
    <div
      ref={beginHere}
      role="alert"
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      className={`${classes.root} ${stack(12, 'above16', 'pad16', 'rounded', 'softInfo')}`}
    >
      <p id={`${id}-title`} className={look('textColor', 'strong')}>
        Someone else changed this in the meantime
      </p>
      <p className={look('textColor', 'breakWords', 'size13')}>
        Nothing is saved yet. Choose what stays; your other changes are saved with it.
      </p>
      {conflicts.map(({ field, label, mine, theirs }) => (
        <fieldset key={field}>
          <legend className={`${classes.label} ${look('textColor', 'strong')}`}>{label}</legend>
          <div className={classes.values}>
            {(['mine', 'theirs'] as const).map((choice) => (
              <div key={choice} className={classes.value}>
                <Value
                  label={choice === 'mine' ? 'Mine' : 'Theirs'}
                  text={{ mine, theirs }[choice]}
                />
                <Button
                  variant="default"
                  size="sm"
                  className={classes.button}
                  aria-label={`Use ${choice}: ${label}`}
                  onClick={(event) => choose(event.currentTarget, field, choice)}
                >
                  Use {choice}
                </Button>
              </div>
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  )
}

/** Long texts scroll, also by keyboard. */
function Value({ label, text }: { label: string; text: string }) {
  const lines = text.split('\n').reduce((sum, line) => sum + Math.ceil(line.length / 40 || 1), 0)
  if (text.length > LONG || text.includes('\n')) {
    return (
      <Textarea
        label={label}
        classNames={{ label: look('note', 'regular') }}
        readOnly
        rows={Math.min(LINES_MAX, lines)}
        value={text}
      />
    )
  }
  return (
    <div>
      <p className={look('note', 'regular')}>{label}</p>
      <p className={text ? look('textColor', 'breakWords', 'size13') : look('note')}>
        {text || 'Empty'}
      </p>
    </div>
  )
}

function beginHere(panel: HTMLElement | null): void {
  panel?.focus()
  panel?.scrollIntoView({ block: 'nearest' })
}

function focusField(form: HTMLFormElement | null, field: string): void {
  const named = form?.elements.namedItem(field)
  const next = named instanceof HTMLElement ? named : form?.querySelector('[type=submit]')
  if (next instanceof HTMLElement) next.focus()
}
