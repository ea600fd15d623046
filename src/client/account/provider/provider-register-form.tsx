import '#client/kit/styles/mantine-pages.css'
import { Button, TextInput } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { column, look } from '#client/kit/layout/layout.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { displayNameRule, emailRule, usernameRule } from '#shared/field-rules.ts'
import type { ProviderOutcome } from '#shared/schemas/provider.schemas.ts'
import { startSession } from '../auth/change-session.ts'

type Newcomer = Extract<ProviderOutcome, { kind: 'register' }>

/** Asks who comes from a provider for the first time for what an account needs. */
export function ProviderRegisterForm({ newcomer }: { newcomer: Newcomer }) {
  const { provider, username, displayName, email } = newcomer
  const router = useRouter()
  const form = useCheckedForm({
    initialValues: { username, displayName, email },
    validate: { username: usernameRule, displayName: displayNameRule, email: emailRule },
  })
  const register = trpc.provider.register.useMutation({
    async onSuccess({ user, next }) {
      await startSession(user)
      router.history.replace(next)
      notify({
        title: 'Account created!',
        message: 'Your account has been successfully created.',
      })
    },
    onError: (error) => {
      // The account is there, and waits for its second step.
      if (error.data?.secondFactor) return router.navigate({ to: '/auth', hash: 'second-step' })
    },
  })
  return (
    <form
      className={column(16)}
      noValidate
      onSubmit={form.onSubmit((values) => register.mutate(values))}
    >
      <h1 className={look('size28')}>Create your account</h1>
      <p className={look('muted')}>You sign in with {provider}, without a password.</p>
      <TextInput
        label="Username"
        description="Shown with an @, and cannot be changed"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('username')}
      />
      <TextInput
        label="Display Name"
        description="Shown publicly"
        name="displayName"
        autoComplete="nickname"
        {...form.getInputProps('displayName')}
      />
      <TextInput
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        {...form.getInputProps('email')}
      />
      <p className={look('problem', 'hiddenWhenEmpty')} role="alert">
        {register.error && serverSentence(register.error)}
      </p>
      <Button type="submit" fullWidth disabled={register.isPending}>
        {register.isPending ? 'Creating...' : 'Create account'}
      </Button>
      <Button variant="subtle" fullWidth component="a" href="/auth">
        Cancel
      </Button>
    </form>
  )
}
