import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { column, look } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { errorStatus, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { passkeysWork } from '#client/platform/passkey-place.ts'
import { trpc, trpcClient } from '#client/trpc.ts'
import { passwordRule, usernameLengthRule } from '#shared/field-rules.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { startSession, useNextPage } from './change-session.ts'
import { hasUsedPasskey } from './passkey-memory.ts'

const SecondFactor = lazyPart(() => import('./second-factor.tsx'))
const KeepAccount = lazyPart(() => import('./keep-account.tsx'))
const ForgotPassword = lazyPart(() => import('./forgot-password.tsx'))

const FORBIDDEN = 403

const sentenceOf = (error: unknown) => serverSentence(error) || 'Invalid username or password.'

export type LoginStage = 'first' | 'second-factor' | 'leaving'

type LoginFormProps = {
  /** Stage of the sign-in when the page opens. */
  begun: LoginStage
  onStage: (stage: LoginStage) => void
  rememberMe: boolean
  onRememberMe: (rememberMe: boolean) => void
}

export function LoginForm({ begun, onStage, ...remembering }: LoginFormProps) {
  const showNext = useNextPage()
  const navigate = useNavigate()
  const search = useSearch({ from: '/bare/auth' })
  const [stage, setStage] = useState(begun)
  /** The stage is also in the address, because a phone may reload the page while its authenticator app is open. */
  const show = (next: LoginStage) => {
    setStage(next)
    onStage(next)
    const hash = next === 'first' ? '' : next
    void navigate({ to: '/auth', search, hash, state: true, replace: true })
  }
  const enter = async (user: OwnUser) => {
    await startSession(user)
    await showNext()
    const offer = await findPasskeyOffer(() =>
      navigate({ to: '/settings', hash: 'two-step' }),
    ).catch(() => undefined)
    const message = 'You have successfully logged in.'
    notify({ title: 'Welcome back!', message, ...offer })
  }
  /** Accounts that are scheduled for deletion are refused and can be kept. Resolves to true if this is one. */
  const offerToKeep = async (error: unknown) => {
    if (errorStatus(error) !== FORBIDDEN) return false
    const leaving = await trpcClient.auth.leaving.mutate().catch(() => null)
    if (leaving) show('leaving')
    return leaving !== null
  }
  const props = { onSignedIn: enter, offerToKeep }
  if (stage === 'leaving') return <KeepAccount onBack={() => show('first')} />
  if (stage === 'second-factor') {
    return (
      <SecondFactor {...props} onLeaving={() => show('leaving')} onBack={() => show('first')} />
    )
  }
  return <FirstStep {...props} {...remembering} onSecondFactor={() => show('second-factor')} />
}

async function findPasskeyOffer(openSettings: () => void) {
  if (!passkeysWork() || hasUsedPasskey()) return undefined
  const { describePasskeyOffer } = await import('./passkey-offer.tsx')
  return describePasskeyOffer(openSettings)
}

type FirstStepProps = Pick<LoginFormProps, 'rememberMe' | 'onRememberMe'> & {
  onSignedIn: (user: OwnUser) => Promise<void>
  offerToKeep: (error: unknown) => Promise<boolean>
  onSecondFactor: () => void
}

function FirstStep(props: FirstStepProps) {
  const { onSignedIn, offerToKeep, onSecondFactor, rememberMe, onRememberMe } = props
  const { data: ways } = trpc.signIn.ways.useQuery()
  const [isForgotten, setForgotten] = useState(false)
  const form = useCheckedForm({
    initialValues: { username: '', password: '' },
    validate: { username: usernameLengthRule, password: passwordRule },
  })
  const login = trpc.auth.login.useMutation({
    onSuccess: onSignedIn,
    onError: async (error) => {
      if (error.data?.secondFactor) onSecondFactor()
      else if (!(await offerToKeep(error))) {
        notify({ tone: 'error', title: 'Login failed', message: sentenceOf(error) })
      }
    },
  })
  const isRefused = login.error && !login.error.data?.secondFactor
  return (
    <form
      className={column(16)}
      noValidate
      onSubmit={form.onSubmit((values) => login.mutate({ ...values, rememberMe }))}
    >
      <TextInput
        label="Username"
        name="username"
        autoComplete="username webauthn"
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
        checked={rememberMe}
        onChange={(event) => onRememberMe(event.currentTarget.checked)}
      />
      {isRefused && (
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
      {passkeysWork() && <PasskeyButton {...{ onSignedIn, offerToKeep, rememberMe }} />}
    </form>
  )
}

type PasskeyButtonProps = Pick<FirstStepProps, 'onSignedIn' | 'offerToKeep' | 'rememberMe'>

function PasskeyButton({ rememberMe, onSignedIn, offerToKeep }: PasskeyButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const fail = async (error: unknown) => {
    if (await offerToKeep(error)) return
    notify({ tone: 'error', title: 'Login failed', message: sentenceOf(error) })
  }
  const readRememberMe = useEffectEvent(() => rememberMe)
  const enter = useEffectEvent(onSignedIn)
  const failAtField = useEffectEvent(async (error: unknown) => {
    if (serverSentence(error)) await fail(error)
  })
  useEffect(() => {
    if (!hasUsedPasskey()) return
    import('./passkey-sign-in.ts')
      .then(({ offerPasskeyAtField }) => offerPasskeyAtField(() => readRememberMe()))
      .then((user) => user && enter(user))
      .catch((error) => failAtField(error))
    return () => void import('./ask-passkey.ts').then((asked) => asked.endPasskeyQuestion())
  }, [])
  const ask = async () => {
    setAsking(true)
    try {
      const { signInByPasskey } = await import('./passkey-sign-in.ts')
      await onSignedIn(await signInByPasskey(rememberMe))
    } catch (error) {
      await fail(error)
    }
    setAsking(false)
  }
  return (
    <Button
      type="button"
      variant="default"
      fullWidth
      disabled={isAsking}
      leftSection={<IconFingerprint size={20} stroke={1.75} aria-hidden />}
      onClick={() => void ask()}
    >
      {isAsking ? 'Waiting for the passkey...' : 'Sign in with a passkey'}
    </Button>
  )
}
