import { useQuery } from '@tanstack/react-query'
import { look, stack } from '#client/kit/layout/layout.ts'
import { EntryRowsSkeleton } from '#client/kit/list/entry-row.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { passkeysWork } from '#client/platform/passkey-place.ts'
import { trpc } from '#client/trpc.ts'
import type { Factors } from '#shared/schemas/second-factor.schemas.ts'
import { AuthenticatorApp } from './authenticator-app.tsx'
import { Passkeys } from './passkeys.tsx'
import { RenewRecoveryCodes } from './renew-recovery-codes.tsx'

/** Passkeys, the authenticator app and recovery codes. */
export default function TwoStepSettings({ username }: { username: string }) {
  const factors = trpc.security.factors.useQuery()
  const ownAuthenticator = useOwnAuthenticator()
  if (factors.isPending || ownAuthenticator.isLoading)
    return <EntryRowsSkeleton count={3} label="Loading two-step sign-in" />
  if (!factors.data) {
    return <LoadError error={factors.error} onRetry={() => void factors.refetch()} />
  }
  const { data } = factors
  return (
    <div className={stack(16)}>
      <RequiredLine factors={data} />
      <Passkeys
        factors={data}
        username={username}
        hasOwnAuthenticator={ownAuthenticator.data === true}
      />
      <AuthenticatorApp factors={data} username={username} />
      <RenewRecoveryCodes factors={data} username={username} />
    </div>
  )
}

/** Asks whether this device can store passkeys, as with Windows Hello or Touch ID. */
function useOwnAuthenticator() {
  return useQuery({
    queryKey: ['own-authenticator'],
    queryFn: () => PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable(),
    enabled: passkeysWork(),
  })
}

function RequiredLine({ factors }: { factors: Factors }) {
  const { required, timeCodesSince, passkeys } = factors
  if (!required || timeCodesSince !== null || passkeys.length > 0) return null
  const day =
    required.from !== null &&
    !required.isDue &&
    new Date(required.from).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })
  return (
    <p className={look('pad12x16', 'rounded', 'soft')} role="status">
      {day
        ? `This site requires two-step sign-in from ${day}. Add a passkey or an authenticator app before then.`
        : 'This site requires two-step sign-in. Add a passkey or an authenticator app now.'}
    </p>
  )
}
