import { look, stack } from '#client/kit/layout/layout.ts'
import { AccountName } from './account-name.tsx'
import '#client/kit/styles/mantine-pages.css'
import { Button, PasswordInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { passkeysWork } from '#client/platform/passkey-place.ts'
import { trpc } from '#client/trpc.ts'
import { passwordRule } from '#shared/field-rules.ts'
import { CodeField } from './code-field.tsx'
import { useSession } from './use-session.ts'

const ConfirmByProvider = lazyPart(() => import('../provider/confirm-by-provider.tsx'))

type ConfirmProps = { onConfirmed: () => void; onClose: () => void }

/** Used if the server does not answer which ways the account has. */
const PASSWORD_ALONE = {
  ...{ password: true, code: false, recoveryCode: false, passkey: false, provider: true },
}

/** For actions that a stolen session must not allow. */
export default function ConfirmPassword({ onConfirmed, onClose }: ConfirmProps) {
  const ways = trpc.settings.confirmWays.useQuery(undefined, { staleTime: 0 })
  if (ways.isPending) return null
  return (
    <ConfirmDialog ways={ways.data ?? PASSWORD_ALONE} onConfirmed={onConfirmed} onClose={onClose} />
  )
}

function ConfirmDialog({ ways, onConfirmed, onClose }: ConfirmProps & { ways: Ways }) {
  const user = useSession()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [isRecovery, setRecovery] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { data: linked } = trpc.provider.linked.useQuery()
  const identities = ways.provider ? (linked?.identities ?? []) : []
  const confirm = trpc.settings.confirmPassword.useMutation({
    onError: () => field.current?.select(),
  })
  const takesCode = ways.code || isRecovery
  const isTyped = ways.password || takesCode
  return (
    <AskDialog
      title={ways.password ? 'Confirm your password' : 'Confirm that it is you'}
      confirmLabel="Confirm"
      pendingLabel="Confirming..."
      hasNoConfirm={!isTyped && (ways.passkey || identities.length > 0)}
      onConfirm={async () => {
        const problem = ways.password && passwordRule(password)
        if (problem) throw new Error(problem)
        await confirm.mutateAsync({
          ...(ways.password && { password }),
          ...(takesCode && { code }),
        })
        onConfirmed()
        return 'stay'
      }}
      onClose={onClose}
    >
      <div className={stack(16)}>
        <p>This makes sure it is you. You will not be asked again for ten minutes.</p>
        {ways.passkey && passkeysWork() && <PasskeyButton onConfirmed={onConfirmed} />}
        {ways.password && (
          <PasswordInput
            ref={field}
            className={look('textColor')}
            data-autofocus
            name="password"
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
        {takesCode && (
          <CodeField
            key={String(isRecovery)}
            className={look('textColor')}
            data-autofocus={!ways.password || undefined}
            isRecovery={isRecovery}
            description={isRecovery ? 'Each works once' : 'From your authenticator app'}
            value={code}
            onChange={setCode}
          />
        )}
        {ways.recoveryCode && (!isRecovery || ways.code) && (
          <Button
            variant="subtle"
            fullWidth
            onClick={() => {
              setRecovery(!isRecovery)
              setCode('')
            }}
          >
            {isRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
          </Button>
        )}
        {identities.length > 0 && <ConfirmByProvider identities={identities} />}
      </div>
      <AccountName username={user?.username ?? ''} />
    </AskDialog>
  )
}

type Ways = typeof PASSWORD_ALONE

function PasskeyButton({ onConfirmed }: { onConfirmed: () => void }) {
  const begin = trpc.settings.beginPasskeyConfirm.useMutation()
  const confirm = trpc.settings.confirmPassword.useMutation()
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState('')
  const ask = async () => {
    setAsking(true)
    setProblem('')
    try {
      const { askPasskey } = await import('./ask-passkey.ts')
      const passkey = await askPasskey(await begin.mutateAsync())
      await confirm.mutateAsync({ passkey })
      onConfirmed()
    } catch (error) {
      setProblem(errorSentence(error))
      setAsking(false)
    }
  }
  return (
    <div className={stack(8)}>
      <Button
        variant="default"
        fullWidth
        disabled={isAsking}
        leftSection={<IconFingerprint size={20} stroke={1.75} aria-hidden />}
        onClick={() => void ask()}
      >
        {isAsking ? 'Waiting for the passkey...' : 'Use a passkey'}
      </Button>
      <p className={look('problem', 'hiddenWhenEmpty')} role="alert">
        {problem}
      </p>
    </div>
  )
}
