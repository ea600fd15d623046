import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { serverSentence } from '../lib/error-message.ts'
import { modal } from '../lib/modal.ts'
import { useReturnFocus } from '../lib/use-return-focus.ts'
import classes from './ask-dialog.module.css'
import { Button } from './button.tsx'

const REASON_MIN = 3
const REASON_MAX = 500

type AskDialogProps = {
  title: string
  children?: ReactNode
  /** A verb: 'Ban'. */
  confirmLabel: string
  /** What the button says while it is being done: 'Banning...'. */
  pendingLabel: string
  isDanger?: boolean
  /** What the field for a reason is called; without it none is asked for. */
  reasonLabel?: string
  /** Reasons that are often given, one press away. */
  presets?: readonly string[]
  /**
   * Does it. The dialog closes when this resolves, unless to 'stay', and shows the server's sentence
   * when it fails.
   */
  onConfirm: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Asks before something is done, and for the reason where one has to be given. */
export function AskDialog(props: AskDialogProps) {
  const { title, children, confirmLabel, pendingLabel, isDanger, reasonLabel, onClose } = props
  useReturnFocus()
  const titleId = useId()
  const [reason, setReason] = useState('')
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState('')
  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    // The form that it was opened from is not meant.
    event.stopPropagation()
    if (reasonLabel && reason.trim().length < REASON_MIN) {
      setProblem('Please say in a few words why.')
      return
    }
    setPending(true)
    try {
      const result = await props.onConfirm(reason.trim())
      if (result !== 'stay') onClose()
    } catch (error) {
      setProblem(serverSentence(error) || 'It could not be done. Please try again.')
      setPending(false)
    }
  }
  return (
    <dialog {...modal(onClose)} className={classes.dialog} aria-labelledby={titleId}>
      <form className={classes.body} onSubmit={(event) => void confirm(event)} noValidate>
        <h2 id={titleId} className={classes.title}>
          {title}
        </h2>
        {children && <div className={classes.text}>{children}</div>}
        {reasonLabel && (
          <Reason
            label={reasonLabel}
            value={reason}
            presets={props.presets ?? []}
            onChange={setReason}
          />
        )}
        <p className={classes.problem} role="alert">
          {problem}
        </p>
        <div className={classes.actions}>
          <Button variant="default" autoFocus={!reasonLabel} onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            className={isDanger ? classes.danger : undefined}
            disabled={isPending}
          >
            {isPending ? pendingLabel : confirmLabel}
          </Button>
        </div>
      </form>
    </dialog>
  )
}

type ReasonProps = {
  label: string
  value: string
  presets: readonly string[]
  onChange: (reason: string) => void
}

function Reason({ label, value, presets, onChange }: ReasonProps) {
  return (
    <>
      <label className={classes.label}>
        {label}
        <textarea
          className={classes.reason}
          // biome-ignore lint/a11y/noAutofocus: the one field of a dialog that somebody just opened.
          autoFocus
          maxLength={REASON_MAX}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </label>
      {presets.length > 0 && (
        <div className={classes.presets}>
          {presets.map((preset) => (
            <button
              key={preset}
              type="button"
              className={classes.preset}
              onClick={() => onChange(preset)}
            >
              {preset}
            </button>
          ))}
        </div>
      )}
    </>
  )
}
