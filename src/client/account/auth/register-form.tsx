import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { column, look } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { errorStatus, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { ACCOUNT_RULES, AccountFields } from './account-fields.tsx'
import { startSession, useNextPage } from './change-session.ts'
import { NewPasswordFields, useNewPasswordRules } from './new-password-fields.tsx'

/** Status of an input that the server refuses, such as a password that is easily guessed. */
const INVALID = 400

type Registration = {
  registration: 'open' | 'invite' | 'closed'
  inviteIsOpen: boolean
  needsAdmin: boolean
}

type RegisterFormProps = {
  /** Undefined until loaded. */
  registration: Registration | undefined
  invite: string | undefined
  /** For a site without an admin. */
  setupCode: string | undefined
}

export function RegisterForm({ registration, invite, setupCode }: RegisterFormProps) {
  const showNext = useNextPage()
  const navigate = useNavigate()
  const { next } = useSearch({ from: '/bare/auth' })
  const showSetup = () => navigate({ to: '/admin/$section', params: { section: 'welcome' } })
  const passwordRules = useNewPasswordRules('password')
  const form = useCheckedForm({
    initialValues: { username: '', email: '', displayName: '', password: '', confirmPassword: '' },
    validate: { ...ACCOUNT_RULES, ...passwordRules },
  })
  const register = trpc.auth.register.useMutation({
    async onSuccess(user) {
      await startSession(user)
      if (user.isAdmin) await showSetup()
      else await showNext()
      notify({
        title: 'Account created!',
        message: 'Your account has been successfully created.',
      })
    },
    onError: (error) => {
      // The account was created, and its second factor has to be set up.
      if (error.data?.secondFactor)
        return navigate({ to: '/auth', search: { next }, hash: 'second-factor' })
      notify({
        tone: 'error',
        title: 'Registration failed',
        message: serverSentence(error) || 'Could not create your account. Please try again.',
      })
    },
  })
  const refusal =
    setupCode === undefined && registration && refusalOf(registration, invite !== undefined)
  if (refusal) return <p role="status">{refusal}</p>
  return (
    <form
      className={column(16)}
      noValidate
      onSubmit={form.onSubmit(({ confirmPassword: _, ...account }) =>
        register.mutate({ ...account, invite, setupCode }),
      )}
    >
      {registration?.needsAdmin && (
        <p className={look('pad12', 'rounded', 'soft')}>
          {setupCode === undefined
            ? 'This site has no admin yet. To become its admin, register with the link shown in the terminal when the site started.'
            : 'You will be the admin of this site.'}
        </p>
      )}
      <AccountFields usernameHint="Used to login" inputProps={form.getInputProps} />
      <NewPasswordFields name="password" label="Password" inputProps={form.getInputProps} />
      {errorStatus(register.error) === INVALID && (
        <p className={look('problem')} role="alert">
          {serverSentence(register.error)}
        </p>
      )}
      <Button type="submit" fullWidth disabled={register.isPending}>
        {register.isPending ? 'Registering...' : 'Register'}
      </Button>
    </form>
  )
}

/** Reason against registration; undefined when it is open. */
function refusalOf(
  { registration, inviteIsOpen }: Registration,
  hasInvite: boolean,
): string | undefined {
  if (registration === 'closed') return 'Registration is closed on this site.'
  if (registration === 'open' || inviteIsOpen) return undefined
  return hasInvite
    ? 'This invite link is used up or too old. Ask for a new one.'
    : 'You need an invite link to register here. Ask an admin of this site for one.'
}
