import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { Button, PasswordInput } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { passwordRule } from '#shared/field-rules.ts'
import { buttonClass } from '../components/button.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { notify } from '../kit/notify.tsx'
import { serverSentence } from '../lib/error-message.ts'
import { useForm } from '../lib/use-form.ts'
import { Logo } from '../shell/header.tsx'
import { trpc } from '../trpc.ts'
import classes from './reset-page.module.css'

const route = getRouteApi('/bare/reset')

/** Where a one-time link of an admin leads: a new password. */
export function ResetPage() {
  const link = route.useLoaderData()
  return (
    <main className={classes.page}>
      <PageTitle title="New password" />
      <Logo />
      <h1 className={classes.heading}>New password</h1>
      {link.token !== undefined ? (
        <NewPassword token={link.token} username={link.username} />
      ) : (
        <>
          <p role="alert">{link.problem}</p>
          <Link to="/auth" className={buttonClass({ variant: 'default' })}>
            To the login
          </Link>
        </>
      )}
    </main>
  )
}

function NewPassword({ token, username }: { token: string; username: string }) {
  const navigate = useNavigate()
  const form = useForm(
    { password: '', confirmPassword: '' },
    {
      password: passwordRule,
      confirmPassword: (value, { password }) =>
        passwordRule(value) ?? (value === password ? undefined : 'Passwords do not match'),
    },
  )
  const reset = trpc.auth.resetPassword.useMutation({
    onSuccess: async () => {
      await navigate({ to: '/auth' })
      notify({ title: 'Password changed', message: 'You can log in with it now.' })
    },
  })
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit(({ password }) => reset.mutate({ token, password }))}
    >
      <p className={classes.text}>For @{username}. It signs you out everywhere.</p>
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
        name="password"
        label="New Password"
        autoComplete="new-password"
        value={form.values.password}
        error={form.errors.password}
        onChange={(event) => form.set('password', event.currentTarget.value)}
      />
      <PasswordInput
        name="confirmPassword"
        label="Confirm Password"
        autoComplete="new-password"
        value={form.values.confirmPassword}
        error={form.errors.confirmPassword}
        onChange={(event) => form.set('confirmPassword', event.currentTarget.value)}
      />
      <p className={classes.problem} role="alert">
        {reset.error && serverSentence(reset.error)}
      </p>
      <Button type="submit" disabled={reset.isPending}>
        {reset.isPending ? 'Saving...' : 'Save password'}
      </Button>
    </form>
  )
}
