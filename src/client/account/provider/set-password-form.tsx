import '#client/kit/styles/mantine-pages.css'
import { Button, PasswordInput } from '@mantine/core'
import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { look, stack } from '#client/kit/layout/layout.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { passwordRule } from '#shared/field-rules.ts'

/** For a member who signs in by a provider only. */
export function SetPasswordForm({ username }: { username: string }) {
  const utils = trpc.useUtils()
  const form = useCheckedForm({
    initialValues: { newPassword: '', confirmPassword: '' },
    validate: {
      newPassword: passwordRule,
      confirmPassword: (value, { newPassword }) =>
        passwordRule(value) ?? (value === newPassword ? undefined : 'Passwords do not match'),
    },
  })
  const set = trpc.settings.setPassword.useMutation({
    onSuccess: async () => {
      notify({ title: 'Password set', message: 'Your other devices have been logged out.' })
      await Promise.all([utils.security.factors.invalidate(), utils.settings.sessions.invalidate()])
    },
  })
  return (
    <form
      className={stack(16, 'max760')}
      noValidate
      onSubmit={form.onSubmit(({ newPassword }) => set.mutate({ newPassword }))}
    >
      {/* Never visible: password managers read the account from it. */}
      <input
        className="visually-hidden"
        type="text"
        name="username"
        autoComplete="username"
        value={username}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <PasswordInput
        name="newPassword"
        label="New password"
        autoComplete="new-password"
        {...form.getInputProps('newPassword')}
      />
      <PasswordInput
        name="confirmPassword"
        label="Confirm password"
        autoComplete="new-password"
        {...form.getInputProps('confirmPassword')}
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
