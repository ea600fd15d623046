import { look, stack } from '#client/kit/layout/layout.ts'
import { AccountName } from '../account/auth/account-name.tsx'
import { useCheckedForm } from '../kit/control/use-checked-form.ts'
import '../kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { NewPasswordFields, useNewPasswordRules } from '../account/auth/new-password-fields.tsx'
import { LinkButton } from '../kit/control/link-button.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { serverSentence } from '../platform/error-message.ts'
import { notify } from '../platform/notify.tsx'
import { trpc } from '../trpc.ts'
import classes from './reset-page.module.css'
import { Logo } from './shell/header/header.tsx'

const route = getRouteApi('/bare/reset')

/** Sets a new password by a one-time link. */
export function ResetPage() {
  const link = route.useLoaderData()
  return (
    <main className={classes.page}>
      <PageTitle title="New password" />
      <Logo />
      <h1 className={look('size28')}>New password</h1>
      {link.token !== undefined ? (
        <NewPassword token={link.token} username={link.username} />
      ) : (
        <>
          <p role="alert">{link.problem}</p>
          <LinkButton to="/auth" variant="default">
            Sign in
          </LinkButton>
        </>
      )}
    </main>
  )
}

function NewPassword({ token, username }: { token: string; username: string }) {
  const navigate = useNavigate()
  const form = useCheckedForm({
    initialValues: { password: '', confirmPassword: '' },
    validate: useNewPasswordRules('password'),
  })
  const reset = trpc.auth.resetPassword.useMutation({
    onSuccess: async () => {
      await navigate({ to: '/auth' })
      notify({ title: 'Password changed', message: 'You can sign in with it now.' })
    },
  })
  return (
    <form
      className={stack(16, 'fullWidth')}
      noValidate
      onSubmit={form.onSubmit(({ password }) => reset.mutate({ token, password }))}
    >
      <p className={look('muted')}>For @{username}. It logs you out everywhere.</p>
      <AccountName username={username} />
      <NewPasswordFields name="password" label="New password" inputProps={form.getInputProps} />
      <p className={look('problem')} role="alert">
        {reset.error && serverSentence(reset.error)}
      </p>
      <Button type="submit" disabled={reset.isPending}>
        {reset.isPending ? 'Saving...' : 'Save password'}
      </Button>
    </form>
  )
}
