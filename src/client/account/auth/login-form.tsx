import { useCheckedForm } from '#client/kit/control/use-checked-form.ts'
import { column, look } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
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

const sentenceOf = (error: unknown) => serverSentence(error) || 'Invalid username or password.'

/** @param hasBegun a sign-in at an identity provider waits for its second step */
export function LoginForm({ hasBegun = false }: { hasBegun?: boolean }) {
  const showNext = useNextPage()
  const [isSecondStep, setSecondStep] = useState(hasBegun)
  const enter = async (user: OwnUser) => {
    await startSession(user)
    await showNext()
    notify({ title: 'Welcome back!', message: 'You have successfully logged in.' })
  }
  if (isSecondStep) return <SecondStep onSignedIn={enter} onBack={() => setSecondStep(false)} />
  return <FirstStep onSignedIn={enter} onSecondStep={() => setSecondStep(true)} />
}

type FirstStepProps = { onSignedIn: (user: OwnUser) => Promise<void>; onSecondStep: () => void }

function FirstStep({ onSignedIn, onSecondStep }: FirstStepProps) {
  const form = useCheckedForm({
    initialValues: { username: '', password: '', rememberMe: false },
    validate: { username: usernameLengthRule, password: passwordRule },
  })
  const login = trpc.auth.login.useMutation({
    onSuccess: onSignedIn,
    onError: (error) => {
      if (error.data?.secondFactor) onSecondStep()
      else notify({ tone: 'error', title: 'Login failed', message: sentenceOf(error) })
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
          {errorStatus(login.error) === 401 && ' Forgot your password? Ask an admin for a link.'}
        </p>
      )}
      <Button type="submit" fullWidth disabled={login.isPending}>
        {login.isPending ? 'Logging in...' : 'Login'}
      </Button>
      {passkeysWork() && (
        <PasskeyButton rememberMe={() => form.getValues().rememberMe} onSignedIn={onSignedIn} />
      )}
    </form>
  )
}

type PasskeyButtonProps = Pick<FirstStepProps, 'onSignedIn'> & { rememberMe: () => boolean }

function PasskeyButton({ rememberMe, onSignedIn }: PasskeyButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const fail = (error: unknown) =>
    notify({ tone: 'error', title: 'Login failed', message: sentenceOf(error) })
  // biome-ignore lint/correctness/useExhaustiveDependencies: begun once.
  useEffect(() => {
    if (!hasUsedPasskey()) return
    const loading = import('./passkey-sign-in.ts')
    loading
      .then(({ offerPasskeyAtField }) => offerPasskeyAtField(rememberMe))
      .then((user) => user && onSignedIn(user))
      // The button and the password remain.
      .catch(() => undefined)
    return () => void import('./ask-passkey.ts').then((asked) => asked.endPasskeyQuestion())
  }, [])
  const ask = async () => {
    setAsking(true)
    try {
      const { signInByPasskey } = await import('./passkey-sign-in.ts')
      await onSignedIn(await signInByPasskey(rememberMe()))
    } catch (error) {
      fail(error)
    }
    setAsking(false)
  }
  return (
    <Button
      type="button"
      variant="default"
      fullWidth
      disabled={isAsking}
      onClick={() => void ask()}
    >
      {isAsking ? 'Waiting for the passkey...' : 'Sign in with a passkey'}
    </Button>
  )
}
