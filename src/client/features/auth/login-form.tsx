import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { passwordRule, usernameLengthRule } from '#shared/field-rules.ts'
import { notify } from '../../kit/notify.tsx'
import { serverSentence } from '../../lib/error-message.ts'
import { useForm } from '../../lib/use-form.ts'
import { trpc } from '../../trpc.ts'
import classes from './auth-form.module.css'
import { startSession } from './change-session.ts'

export function LoginForm() {
  const navigate = useNavigate()
  const form = useForm(
    { username: '', password: '', rememberMe: false },
    { username: usernameLengthRule, password: passwordRule },
  )
  const login = trpc.auth.login.useMutation({
    async onSuccess(user) {
      await startSession(user)
      await navigate({ to: '/' })
      notify({ title: 'Welcome back!', message: 'You have successfully logged in.' })
    },
    onError: (error) =>
      notify({
        tone: 'error',
        title: 'Login failed',
        message: serverSentence(error) || 'Invalid username or password.',
      }),
  })
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit((values) => login.mutate(values))}
    >
      <TextInput
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={form.values.username}
        onChange={(event) => form.set('username', event.currentTarget.value)}
        error={form.errors.username}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        value={form.values.password}
        onChange={(event) => form.set('password', event.currentTarget.value)}
        error={form.errors.password}
      />
      <Checkbox
        label="Remember me"
        description="Stay logged in on this device"
        name="rememberMe"
        checked={form.values.rememberMe}
        onChange={(event) => form.set('rememberMe', event.currentTarget.checked)}
      />
      <Button type="submit" fullWidth disabled={login.isPending}>
        {login.isPending ? 'Logging in...' : 'Login'}
      </Button>
    </form>
  )
}
