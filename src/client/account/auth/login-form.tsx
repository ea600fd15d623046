import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { column, look } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { errorStatus, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { passkeysWork } from '#client/platform/passkey-place.ts'
import { trpc } from '#client/trpc.ts'
import { passwordRule, usernameLengthRule } from '#shared/field-rules.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { startSession, useNextPage } from './change-session.ts'
import { hasUsedPasskey } from './passkey-memory.ts'

const SecondStep = lazyPart(() => import('./second-step.tsx'))
const KeepAccount = lazyPart(() => import('./keep-account.tsx'))
const ForgotPassword = lazyPart(() => import('./forgot-password.tsx'))

const FORBIDDEN = 403

const sentenceOf = (error: unknown) => serverSentence(error) || 'Invalid username or password.'

type LoginFormProps = {
  /** A sign-in that goes on here. */ begun?: 'second-step' | 'leaving' | undefined
  /** Called when a sign-in waits for more than the first step, and when it no longer does. */
  onUnderWay: (isUnderWay: boolean) => void
}

export function LoginForm({ begun, onUnderWay }: LoginFormProps) {
  const showNext = useNextPage()
  const navigate = useNavigate()
  const search = useSearch({ from: '/bare/auth' })
  const [isSecondStep, setSecondStep] = useState(begun === 'second-step')
  const leaving = trpc.auth.leaving.useMutation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once.
  useEffect(() => {
    if (begun !== 'leaving') return
    leaving.mutate(undefined, { onSettled: (found) => onUnderWay(!!found) })
  }, [])
  const enter = async (user: OwnUser) => {
    await startSession(user)
    await showNext()
    const offer = await findPasskeyOffer(() =>
      navigate({ to: '/settings', hash: 'two-step' }),
    ).catch(() => undefined)
    const message = 'You have successfully logged in.'
    notify({ title: 'Welcome back!', message, ...offer })
  }
  /** An account that will be deleted is refused, and can be kept. Returns whether it is one. */
  const offerToKeep = async (error: unknown) => {
    if (errorStatus(error) !== FORBIDDEN) return false
    const found = await leaving.mutateAsync().catch(() => null)
    if (found) onUnderWay(true)
    return !!found
  }
  /** In the address too: a phone may load the page again while its app shows the code. */
  const showSecondStep = (isShown: boolean) => {
    setSecondStep(isShown)
    onUnderWay(isShown)
    const hash = isShown ? 'second-step' : ''
    void navigate({ to: '/auth', search, hash, state: true, replace: true })
  }
  const back = () => {
    showSecondStep(false)
    leaving.reset()
  }
  if (leaving.data) return <KeepAccount deletesAt={leaving.data.deletesAt} onBack={back} />
  const props = { onSignedIn: enter, offerToKeep }
  if (isSecondStep) return <SecondStep {...props} onBack={back} />
  return <FirstStep {...props} onSecondStep={() => showSecondStep(true)} />
}

async function findPasskeyOffer(openSettings: () => void) {
  if (!passkeysWork() || hasUsedPasskey()) return undefined
  const { describePasskeyOffer } = await import('./passkey-offer.tsx')
  return describePasskeyOffer(openSettings)
}

type FirstStepProps = {
  onSignedIn: (user: OwnUser) => Promise<void>
  offerToKeep: (error: unknown) => Promise<boolean>
  onSecondStep: () => void
}

function FirstStep({ onSignedIn, offerToKeep, onSecondStep }: FirstStepProps) {
  const { data: ways } = trpc.signIn.ways.useQuery()
  const [isForgotten, setForgotten] = useState(false)
  const form = useCheckedForm({
    initialValues: { username: '', password: '', rememberMe: false },
    validate: { username: usernameLengthRule, password: passwordRule },
  })
  const login = trpc.auth.login.useMutation({
    onSuccess: onSignedIn,
    onError: async (error) => {
      if (error.data?.secondFactor) onSecondStep()
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
      onSubmit={form.onSubmit((values) => login.mutate(values))}
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
        {...form.getInputProps('rememberMe', { type: 'checkbox' })}
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
      {passkeysWork() && (
        <PasskeyButton
          rememberMe={() => form.getValues().rememberMe}
          {...{ onSignedIn, offerToKeep }}
        />
      )}
    </form>
  )
}

type PasskeyButtonProps = Omit<FirstStepProps, 'onSecondStep'> & { rememberMe: () => boolean }

function PasskeyButton({ rememberMe, onSignedIn, offerToKeep }: PasskeyButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const fail = async (error: unknown) => {
    if (await offerToKeep(error)) return
    notify({ tone: 'error', title: 'Login failed', message: sentenceOf(error) })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: begun once.
  useEffect(() => {
    if (!hasUsedPasskey()) return
    import('./passkey-sign-in.ts')
      .then(({ offerPasskeyAtField }) => offerPasskeyAtField(rememberMe))
      .then((user) => user && onSignedIn(user))
      .catch(async (error) => {
        if (serverSentence(error)) await fail(error)
      })
    return () => void import('./ask-passkey.ts').then((asked) => asked.endPasskeyQuestion())
  }, [])
  const ask = async () => {
    setAsking(true)
    try {
      const { signInByPasskey } = await import('./passkey-sign-in.ts')
      await onSignedIn(await signInByPasskey(rememberMe()))
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
