import { look } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { PasswordInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { trpc } from '#client/trpc.ts'
import { passwordRule } from '#shared/field-rules.ts'
import { useSession } from './use-session.ts'

const ConfirmByProvider = lazyPart(() => import('../provider/confirm-by-provider.tsx'))

/** For actions that a stolen session must not allow. */
export default function ConfirmPassword({
  onConfirmed,
  onClose,
}: {
  onConfirmed: () => void
  onClose: () => void
}) {
  const user = useSession()
  const [password, setPassword] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { data: linked } = trpc.provider.linked.useQuery()
  const hasPassword = linked?.hasPassword !== false
  const confirm = trpc.settings.confirmPassword.useMutation({
    onError: () => field.current?.select(),
  })
  return (
    <AskDialog
      title={hasPassword ? 'Confirm your password' : 'Confirm that it is you'}
      isHeld={!hasPassword}
      confirmLabel="Confirm"
      pendingLabel="Confirming..."
      onConfirm={async () => {
        const problem = passwordRule(password)
        if (problem) throw new Error(problem)
        await confirm.mutateAsync({ password })
        onConfirmed()
        return 'stay'
      }}
      onClose={onClose}
    >
      <p>This makes sure it is you. You will not be asked again for ten minutes.</p>
      {hasPassword && (
        <PasswordInput
          ref={field}
          className={look('above16', 'textColor')}
          data-autofocus
          name="password"
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      {linked && linked.identities.length > 0 && (
        <ConfirmByProvider identities={linked.identities} />
      )}
      {/* Never visible: password managers read the account from it. */}
      <input
        className="visually-hidden"
        type="text"
        name="username"
        autoComplete="username"
        value={user?.username ?? ''}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
    </AskDialog>
  )
}
