import '../kit/styles/mantine-pages.css'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { Dialog } from '../kit/dialog/dialog.tsx'
import { DialogFoot } from '../kit/dialog/dialog-foot.tsx'
import { FormButtons } from '../kit/dialog/form-buttons.tsx'
import { useDiscardQuestion } from '../kit/dialog/use-discard-question.tsx'
import { serverSentence, unlistedHost } from '../platform/error-message.ts'
import classes from './admin.module.css'

type DialogFormProps = {
  title: string
  submitLabel: string
  pendingLabel: string
  /** Whether closing asks before it discards changes. */
  isDirty: boolean
  mutation: { isPending: boolean; error: unknown }
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog with fields, the error of the last attempt, and buttons. */
export function DialogForm(props: DialogFormProps) {
  const { title, submitLabel, pendingLabel, isDirty, mutation, onSubmit, onClose, children } = props
  const { close, question } = useDiscardQuestion(isDirty, onClose)
  const { isPending, error } = mutation
  return (
    <Dialog title={title} size={560} onClose={close}>
      <form
        className={stack(16)}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {children}
        <p className={look('problem', 'hiddenWhenEmpty')} role="alert">
          {error ? serverSentence(error) : undefined}
          {unlistedHost(error) && (
            <>
              {' '}
              <Link
                to="/admin/$section"
                params={{ section: 'settings' }}
                hash="network"
                target="_blank"
                className={classes.link}
              >
                Open the settings
              </Link>
            </>
          )}
        </p>
        {question}
        <DialogFoot>
          <FormButtons
            submitLabel={submitLabel}
            pendingLabel={pendingLabel}
            isPending={isPending}
            onCancel={close}
          />
        </DialogFoot>
      </form>
    </Dialog>
  )
}
