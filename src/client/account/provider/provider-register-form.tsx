import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { column, look } from '#client/kit/layout/layout.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { ProviderOutcome } from '#shared/schemas/provider.schemas.ts'
import { ACCOUNT_RULES, AccountFields } from '../auth/account-fields.tsx'
import { startSession } from '../auth/change-session.ts'

type Newcomer = Extract<ProviderOutcome, { kind: 'register' }>

/** Asks a newcomer from a provider for the data that an account needs. */
export function ProviderRegisterForm({ newcomer }: { newcomer: Newcomer }) {
  const { provider, username, displayName, email } = newcomer
  const router = useRouter()
  const form = useCheckedForm({
    initialValues: { username, displayName, email },
    validate: ACCOUNT_RULES,
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
      // The account was created, and its second factor has to be set up.
      if (error.data?.secondFactor) return router.navigate({ to: '/auth', hash: 'second-factor' })
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
      <AccountFields
        usernameHint="Shown with an @, and cannot be changed"
        inputProps={form.getInputProps}
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
