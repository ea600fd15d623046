import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { column, look } from '#client/kit/layout/layout.ts'
import { errorSentence } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import type { TimeCodeSetup } from '#shared/schemas/second-factor.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { RecoveryCodes } from '../security/recovery-codes.tsx'
import { SetupSecret } from '../security/setup-secret.tsx'
import { CodeField } from './code-field.tsx'

type EnrolmentProps = {
  setup: TimeCodeSetup
  onSignedIn: (user: OwnUser) => Promise<void>
  /** Called for an account that is scheduled for deletion. */
  onLeaving: () => void
  onBack: () => void
}

/** Sets up a second factor during sign-in, for members without one on a site that requires it. */
export function Enrolment({ setup, onSignedIn, onLeaving, onBack }: EnrolmentProps) {
  const [code, setCode] = useState('')
  const enrol = trpc.auth.finishEnrolment.useMutation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enrol.mutate({ code })
  }
  if (enrol.data) {
    const { user, username, recoveryCodes } = enrol.data
    return (
      <div className={column(16)}>
        <h2 className={look('heading')}>Save your recovery codes</h2>
        {recoveryCodes && <RecoveryCodes codes={recoveryCodes} username={username} />}
        <Button fullWidth onClick={() => (user ? void onSignedIn(user) : onLeaving())}>
          Continue
        </Button>
      </div>
    )
  }
  return (
    <form className={column(16)} noValidate onSubmit={submit}>
      <div>
        <h2 className={look('heading')}>Set up two-step sign-in</h2>
        <p className={look('muted')}>
          This site requires two-step sign-in. You need an authenticator app on your phone or in
          your password manager.
        </p>
      </div>
      <SetupSecret setup={setup} />
      <CodeField value={code} onChange={setCode} description="The code that the app shows now" />
      <p className={look('problem', 'hiddenWhenEmpty')} role="alert">
        {enrol.error && errorSentence(enrol.error)}
      </p>
      <Button type="submit" fullWidth disabled={enrol.isPending || code.trim() === ''}>
        {enrol.isPending ? 'Checking...' : 'Verify and sign in'}
      </Button>
      <Button variant="subtle" onClick={onBack}>
        Back to login
      </Button>
    </form>
  )
}
