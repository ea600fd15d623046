import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { column, look } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { errorStatus, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { passwordRule, usernameLengthRule } from '#shared/field-rules.ts'
import { startSession, useNextPage } from './change-session.ts'

const ForgotPassword = lazyPart(() => import('./forgot-password.tsx'))

const sentenceOf = (error: unknown) => serverSentence(error) || 'Invalid username or password.'

export function LoginForm() {
  const showNext = useNextPage()
  const { data: ways } = trpc.signIn.ways.useQuery()
  const [isForgotten, setForgotten] = useState(false)
  const form = useCheckedForm({
    initialValues: { username: '', password: '', rememberMe: false },
    validate: { username: usernameLengthRule, password: passwordRule },
  })
  const login = trpc.auth.login.useMutation({
    async onSuccess(user) {
      await startSession(user)
      await showNext()
      notify({ title: 'Welcome back!', message: 'You have successfully logged in.' })
    },
    onError: (error) =>
      notify({
        tone: 'error',
        title: 'Login failed',
        message: sentenceOf(error),
      }),
  })
  return (
    <form
      className={column(16)}
      noValidate
      onSubmit={form.onSubmit((values) => login.mutate(values))}
    >
      <TextInput
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('username')}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <Checkbox
        label="Remember me"
        description="Stay logged in on this device"
        name="rememberMe"
        {...form.getInputProps('rememberMe', { type: 'checkbox' })}
      />
      {login.error && (
        <p className={look('problem')} role="alert">
          {sentenceOf(login.error)}
          {errorStatus(login.error) === 401 &&
            !ways?.sendsMail &&
            ' Forgot your password? Ask an admin for a link.'}
        </p>
      )}
      <Button type="submit" fullWidth disabled={login.isPending}>
        {login.isPending ? 'Logging in...' : 'Login'}
      </Button>
      {ways?.sendsMail && (
        <Button variant="subtle" fullWidth onClick={() => setForgotten(true)}>
          Forgot your password?
        </Button>
      )}
      {isForgotten && (
        <ForgotPassword username={form.values.username} onClose={() => setForgotten(false)} />
      )}
    </form>
  )
}
