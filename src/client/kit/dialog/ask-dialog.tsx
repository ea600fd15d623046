import '../styles/mantine-pages.css'
import { Button, Textarea } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { look, wrapped } from '#client/kit/layout/layout.ts'
import { fieldConflicts, serverSentence } from '../../platform/error-message.ts'
import classes from './confirm-dialog.module.css'
import { Dialog } from './dialog.tsx'
import { useDiscardQuestion } from './use-discard-question.tsx'

/** The reason is sent to those concerned. */
export const REASON_LABEL = 'Reason (they will see it)'

const REASON_MIN = 3
const REASON_MAX = 500

type AskDialogProps = {
  title: string
  children?: ReactNode
  /** A verb: 'Ban'. */
  confirmLabel: string
  /** Such as 'Banning...'. */
  pendingLabel: string
  isDanger?: boolean
  /** Disables the button. */
  isHeld?: boolean
  /** Hides the button if one of the children answers the question. */
  hasNoConfirm?: boolean
  /** Closing asks first. */
  isDirty?: boolean
  /** Requires a reason if set. */
  reasonLabel?: string
  /** Frequent reasons. */
  presets?: readonly string[]
  /** Closes on success, unless it resolves to 'stay'; shows the server's sentence on failure. */
  onConfirm: (reason: string) => Promise<unknown>
  onClose: () => void
}

export function AskDialog(props: AskDialogProps) {
  const { title, children, confirmLabel, pendingLabel, isDanger, reasonLabel, onClose } = props
  const [reason, setReason] = useState('')
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState('')
  const isDirty = props.isDirty || reason.trim() !== ''
  const { close, question } = useDiscardQuestion(isDirty, onClose)
  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    // Not the form around it.
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
      const sentence = serverSentence(error) || 'It could not be done. Please try again.'
      // Conflicts are shown at the fields.
      setProblem(fieldConflicts(error) ? '' : sentence)
      setPending(false)
    }
  }
  return (
    <Dialog title={title} onClose={close} size={480}>
      <form onSubmit={(event) => void confirm(event)} noValidate>
        {children && <div className={look('muted', 'breakWords')}>{children}</div>}
        {reasonLabel && (
          <>
            <Textarea
              className={`${classes.reason} ${look('above12')}`}
              label={reasonLabel}
              data-autofocus
              resize="vertical"
              maxLength={REASON_MAX}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <Presets presets={props.presets ?? []} onChoose={setReason} />
          </>
        )}
        <p className={look('above12', 'problem')} role="alert">
          {problem}
        </p>
        {question}
        <div className={wrapped(12, 'end', 'above24')}>
          <Button variant="default" data-autofocus={!reasonLabel || undefined} onClick={close}>
            Cancel
          </Button>
          {!props.hasNoConfirm && (
            <Button
              type="submit"
              color={isDanger ? 'pulse' : 'volt'}
              disabled={isPending || props.isHeld}
            >
              {isPending ? pendingLabel : confirmLabel}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

type PresetsProps = { presets: readonly string[]; onChoose: (reason: string) => void }

function Presets({ presets, onChoose }: PresetsProps) {
  if (presets.length === 0) return null
  return (
    <div className={wrapped(8, 'above12')}>
      {presets.map((preset) => (
        <Button
          key={preset}
          variant="default"
          size="sm"
          radius="xl"
          className={classes.preset}
          onClick={() => onChoose(preset)}
        >
          {preset}
        </Button>
      ))}
    </div>
  )
}
