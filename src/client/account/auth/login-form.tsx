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

const KeepAccount = lazyPart(() => import('./keep-account.tsx'))
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
  const leaving = trpc.auth.leaving.useMutation()
  const login = trpc.auth.login.useMutation({
    async onSuccess(user) {
      await startSession(user)
      await showNext()
      notify({ title: 'Welcome back!', message: 'You have successfully logged in.' })
    },
    async onError(error) {
      const isRefused = errorStatus(error) === 403
      // It may be an account that will be deleted, which can be kept.
      if (isRefused && (await leaving.mutateAsync().catch(() => null))) return
      notify({ tone: 'error', title: 'Login failed', message: sentenceOf(error) })
    },
  })
  if (leaving.data) {
    const back = () => {
      leaving.reset()
      login.reset()
    }
    return <KeepAccount deletesAt={leaving.data.deletesAt} onBack={back} />
  }
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
      {login.error && !leaving.isPending && (
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
