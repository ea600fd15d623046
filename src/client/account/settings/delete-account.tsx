import '#client/kit/styles/mantine-pages.css'
import { Button, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { look, stack } from '#client/kit/layout/layout.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import { passwordRule } from '#shared/field-rules.ts'

type DeleteAccountProps = {
  /** Who has none confirms by the provider. */
  hasPassword: boolean
  onDeleted: () => Promise<void>
}

export function DeleteAccount({ hasPassword, onDeleted }: DeleteAccountProps) {
  const [isAsking, setAsking] = useState(false)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const remove = trpc.settings.deleteAccount.useMutation({ onSuccess: onDeleted })
  const close = () => {
    setAsking(false)
    setPassword('')
    setProblem(undefined)
    remove.reset()
  }
  const submit = () => {
    const found = hasPassword ? passwordRule(password) : undefined
    setProblem(found)
    if (!found) remove.mutate({ password })
  }
  return (
    <div>
      <Button variant="outline" color="pulse" onClick={() => setAsking(true)}>
        Delete my account
      </Button>
      {isAsking && (
        <ConfirmDialog
          onClose={close}
          onConfirm={submit}
          title="Delete my account"
          confirmLabel="Delete for good"
          pendingLabel="Deleting..."
          isPending={remove.isPending}
        >
          <form
            className={stack(16)}
            onSubmit={(event) => {
              event.preventDefault()
              submit()
            }}
          >
            <p>
              Your channel, videos, playlists, history, likes and subscriptions are deleted now.
              Your comments on other people's videos stay, as those of a deleted user. This cannot
              be undone.
            </p>
            {hasPassword ? (
              <PasswordInput
                className={look('textColor')}
                name="password"
                label="Your password, to confirm"
                autoComplete="current-password"
                value={password}
                error={problem ?? (remove.error && serverSentence(remove.error))}
                onChange={(event) => {
                  setPassword(event.currentTarget.value)
                  setProblem(undefined)
                  if (remove.error) remove.reset()
                }}
              />
            ) : (
              <p className={look('problem', 'hiddenWhenEmpty')} role="alert">
                {remove.error && serverSentence(remove.error)}
              </p>
            )}
          </form>
        </ConfirmDialog>
      )}
    </div>
  )
}
