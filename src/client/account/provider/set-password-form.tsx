import { AccountName } from '../auth/account-name.tsx'
import { NewPasswordFields, useNewPasswordRules } from '../auth/new-password-fields.tsx'
import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { look } from '#client/kit/layout/layout.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import classes from '../settings/settings-form.module.css'

/** For members who have no password because they sign in with a provider. */
export default function SetPasswordForm({ username }: { username: string }) {
  const utils = trpc.useUtils()
  const form = useCheckedForm({
    initialValues: { newPassword: '', confirmPassword: '' },
    validate: useNewPasswordRules('newPassword'),
  })
  const set = trpc.settings.setPassword.useMutation({
    onSuccess: async () => {
      notify({ title: 'Password set', message: 'Your other devices have been logged out.' })
      await Promise.all([utils.security.factors.invalidate(), utils.settings.sessions.invalidate()])
    },
  })
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit(({ newPassword }) => set.mutate({ newPassword }))}
    >
      <AccountName username={username} />
      <NewPasswordFields
        name="newPassword"
        label="New password"
        confirmLabel="Confirm password"
        inputProps={form.getInputProps}
      />
      <p className={look('problem', 'hiddenWhenEmpty')} role="alert">
        {set.error && serverSentence(set.error)}
      </p>
      <div>
        <Button type="submit" disabled={set.isPending}>
          {set.isPending ? 'Saving...' : 'Set password'}
        </Button>
      </div>
    </form>
  )
}
