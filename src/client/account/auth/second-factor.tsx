import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { column, look } from '#client/kit/layout/layout.ts'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { passkeysWork } from '#client/platform/passkey-place.ts'
import { useAskedOnce } from '#client/platform/use-asked-once.ts'
import { trpc, trpcClient } from '#client/trpc.ts'
import type { RequestOptions, SecondFactorWays } from '#shared/schemas/second-factor.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { CodeField } from './code-field.tsx'
import { Enrolment } from './enrolment.tsx'
import { TooLate } from './too-late.tsx'

type SecondFactorProps = {
  onSignedIn: (user: OwnUser) => Promise<void>
  /**
   * Resolves to true if the error is about an account that is scheduled for deletion, which is then offered to be
   * kept.
   */
  offerToKeep: (error: unknown) => Promise<boolean>
  onLeaving: () => void
  onBack: () => void
}

/** The second factor of the sign-in that this browser has begun. */
export default function SecondFactor(props: SecondFactorProps) {
  const pending = useAskedOnce('second-factor', () => trpcClient.auth.pendingStep.mutate())
  if (pending.isError) {
    return <LoadError error={pending.error} onRetry={() => void pending.refetch()} />
  }
  if (pending.isPending) return <TextSkeleton width="240px" />
  if (!pending.data) return <TooLate onBack={props.onBack} />
  const { ways, passkey, setup } = pending.data
  if (setup) return <Enrolment setup={setup} {...props} />
  return <Answer ways={ways} passkey={passkey} {...props} />
}

type AnswerProps = SecondFactorProps & { ways: SecondFactorWays; passkey: RequestOptions | null }

function Answer({ ways, passkey, onSignedIn, offerToKeep, onBack }: AnswerProps) {
  const [isRecovery, setRecovery] = useState(!ways.code && !passkey)
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState('')
  const finish = trpc.auth.finishSignIn.useMutation()
  const [isAsking, setAsking] = useState(false)
  const attempt = async (work: () => Promise<OwnUser>) => {
    setProblem('')
    try {
      await onSignedIn(await work())
    } catch (error) {
      if (!(await offerToKeep(error))) setProblem(errorSentence(error))
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim() === '') setProblem('Enter the code first.')
    else void attempt(() => finish.mutateAsync({ code }))
  }
  const answerByPasskey = async (options: RequestOptions) => {
    setAsking(true)
    await attempt(async () => {
      const { askPasskey } = await import('./ask-passkey.ts')
      return finish.mutateAsync({ passkey: await askPasskey(options) })
    })
    setAsking(false)
  }
  const takesCode = ways.code || isRecovery
  const choose = (recovery: boolean) => {
    setRecovery(recovery)
    setCode('')
    setProblem('')
  }
  return (
    <form className={column(16)} noValidate onSubmit={submit}>
      <div>
        <h2 className={look('heading')}>Two-step sign-in</h2>
        <p className={look('muted')}>{explain({ isRecovery, takesCode })}</p>
      </div>
      {takesCode && (
        <CodeField
          key={String(isRecovery)}
          autoFocus
          isRecovery={isRecovery}
          value={code}
          onChange={setCode}
        />
      )}
      <p className={look('problem', 'hiddenWhenEmpty')} role="alert">
        {problem}
      </p>
      {takesCode && (
        <Button type="submit" fullWidth disabled={finish.isPending}>
          {finish.isPending && !isAsking ? 'Signing in...' : 'Sign in'}
        </Button>
      )}
      {passkey && passkeysWork() && (
        <Button
          variant={takesCode ? 'default' : 'filled'}
          fullWidth
          disabled={isAsking}
          leftSection={<IconFingerprint size={20} stroke={1.75} aria-hidden />}
          onClick={() => void answerByPasskey(passkey)}
        >
          {isAsking ? 'Waiting for the passkey...' : 'Use a passkey'}
        </Button>
      )}
      <div className={column(4, 'centre')}>
        {ways.recoveryCode && !isRecovery && (
          <Button variant="subtle" onClick={() => choose(true)}>
            Use a recovery code
          </Button>
        )}
        {isRecovery && (ways.code || passkey) && (
          <Button variant="subtle" onClick={() => choose(false)}>
            {ways.code ? 'Use your authenticator app' : 'Use your passkey'}
          </Button>
        )}
        <Button variant="subtle" onClick={onBack}>
          Back to login
        </Button>
      </div>
    </form>
  )
}

function explain({ isRecovery, takesCode }: { isRecovery: boolean; takesCode: boolean }): string {
  if (isRecovery) return 'Enter one of the codes that you saved. Each works once.'
  return takesCode
    ? 'Enter the code that your authenticator app shows.'
    : 'Confirm with the passkey that you added to your account.'
}
