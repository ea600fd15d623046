import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { look, row } from '#client/kit/layout/layout.ts'
import { AccountName } from '../auth/account-name.tsx'
import '#client/kit/styles/mantine-pages.css'
import { Button, PasswordInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { errorStatus, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { passwordRule } from '#shared/field-rules.ts'
import { NewPasswordFields, useNewPasswordRules } from '../auth/new-password-fields.tsx'
import classes from './settings-form.module.css'

const FORBIDDEN = 403

/** Clears the form afterwards. */
export default function PasswordForm({ username }: { username: string }) {
  const [changes, setChanges] = useState(0)
  return (
    <PasswordFields
      key={changes}
      username={username}
      onChanged={() => setChanges((count) => count + 1)}
    />
  )
}

function PasswordFields({ username, onChanged }: { username: string; onChanged: () => void }) {
  const utils = trpc.useUtils()
  const currentField = useRef<HTMLInputElement>(null)
  const newPasswordRules = useNewPasswordRules('newPassword')
  const form = useCheckedForm({
    initialValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
    onValuesChange: () => change.reset(),
    validate: { currentPassword: passwordRule, ...newPasswordRules },
  })
  const change = trpc.settings.changePassword.useMutation({
    onSuccess: async () => {
      onChanged()
      notify({ title: 'Password changed', message: 'Your other devices have been logged out.' })
      await utils.settings.sessions.invalidate()
    },
    onError: (error) => {
      if (errorStatus(error) === FORBIDDEN) currentField.current?.focus()
    },
  })
  const isWrong = errorStatus(change.error) === FORBIDDEN
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit(({ confirmPassword: _, ...passwords }) => change.mutate(passwords))}
    >
      <AccountName username={username} />
      <PasswordInput
        ref={currentField}
        name="currentPassword"
        label="Current password"
        autoComplete="current-password"
        {...form.getInputProps('currentPassword')}
        error={form.errors.currentPassword ?? (isWrong && serverSentence(change.error))}
      />
      <NewPasswordFields
        name="newPassword"
        label="New password"
        confirmLabel="Confirm password"
        inputProps={form.getInputProps}
      />
      <div className={row([12, 16], 'wrap')}>
        <Button type="submit" disabled={change.isPending}>
          {change.isPending ? 'Changing...' : 'Change Password'}
        </Button>
        <p className={look('grow', 'problem')} role="alert">
          {change.error && !isWrong && serverSentence(change.error)}
        </p>
      </div>
    </form>
  )
}
