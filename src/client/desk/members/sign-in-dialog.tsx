import { Button } from '@mantine/core'
import {
  IconApi,
  IconDeviceLaptop,
  IconDeviceMobile,
  IconFingerprint,
  IconKey,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import type { Member, MemberSignIn } from '#shared/schemas/desk/member.schemas.ts'
import { countOf, formatDate } from '#shared/text/format.ts'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import { EntryRow, EntryRowsSkeleton } from '../../kit/list/entry-row.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { iconOf } from '../../kit/provider-icon.ts'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { trpc } from '../../trpc.ts'
import { ResetDialog } from './reset-dialog.tsx'
import { type Removal, RemoveDialog } from './sign-in-remove-dialog.tsx'

type SignInDialogProps = { member: Member; isSelf: boolean; onClose: () => void }

/** Shows how a member signs in, and lets an admin remove each way. */
export default function SignInDialog({ member, isSelf, onClose }: SignInDialogProps) {
  const signIn = trpc.member.signIn.useQuery({ userId: member.id })
  const [isResetting, setResetting] = useState(false)
  const [removal, setRemoval] = useState<Removal>()
  const { data } = signIn
  return (
    <Dialog title={`Sign-in of ${member.displayName}`} size={560} isSpaced onClose={onClose}>
      {signIn.isPending && <EntryRowsSkeleton count={4} label="Loading how they sign in" />}
      {signIn.isError && !data && (
        <LoadError error={signIn.error} onRetry={() => void signIn.refetch()} />
      )}
      {data && (
        <>
          <StandingLine signIn={data} />
          <ul>
            <EntryRow
              icon={IconKey}
              name="Password"
              facts={describePassword(data)}
              action={
                <Button variant="default" onClick={() => setResetting(true)}>
                  Reset password
                </Button>
              }
            />
            <Ways signIn={data} onRemove={isSelf ? undefined : setRemoval} />
          </ul>
          {isSelf && (
            <p className={look('note')}>This is your own account: the rest is in your settings.</p>
          )}
        </>
      )}
      {isResetting && (
        <ResetDialog member={member} isSelf={isSelf} onClose={() => setResetting(false)} />
      )}
      {removal && (
        <RemoveDialog member={member} removal={removal} onClose={() => setRemoval(undefined)} />
      )}
    </Dialog>
  )
}

function describePassword({ hasPassword, takesPassword }: MemberSignIn): string {
  if (!hasPassword) return 'None'
  return takesPassword ? 'Set' : 'Set, but only admins sign in with a password here'
}

/** Warns if the member cannot sign in. */
function StandingLine({ signIn }: { signIn: MemberSignIn }) {
  const { hasPassword, takesPassword, passkeys, identities } = signIn
  const isIn = identities.some(({ isOffered }) => isOffered) || passkeys.length > 0
  if (isIn || (hasPassword && takesPassword)) return null
  return (
    <p className={look('pad12x16', 'rounded', 'soft')} role="status">
      {takesPassword
        ? 'This member can sign in only by a link to a new password. Reset the password to make one.'
        : 'This member cannot sign in. Allow passwords for everybody in ‘Sign-in’, then reset the password to make a link for them.'}
    </p>
  )
}

type WaysProps = { signIn: MemberSignIn; onRemove: ((removal: Removal) => void) | undefined }

function Ways({ signIn, onRemove }: WaysProps) {
  const { passkeys, timeCodesSince, recoveryCodesLeft, identities } = signIn
  const { sessionCount, apiTokenCount } = signIn
  const factors = passkeys.length + (timeCodesSince === null ? 0 : 1)
  const button = (label: string, removal: Removal, children: ReactNode = 'Remove') =>
    onRemove && (
      <Button variant="outline" color="pulse" aria-label={label} onClick={() => onRemove(removal)}>
        {children}
      </Button>
    )
  return (
    <>
      {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <EntryRow
          key={id}
          icon={IconFingerprint}
          name={name}
          facts={
            <>
              Passkey · added <TimeAgo time={createdAt} /> ·{' '}
              {lastUsedAt ? (
                <>
                  last used <TimeAgo time={lastUsedAt} />
                </>
              ) : (
                'never used'
              )}
            </>
          }
          action={button(`Remove ${name}`, { kind: 'passkey', id, name })}
        />
      ))}
      <EntryRow
        icon={IconDeviceMobile}
        name="Authenticator app"
        facts={
          timeCodesSince === null
            ? 'None'
            : `Since ${formatDate(timeCodesSince)} · ${countOf(recoveryCodesLeft, 'recovery code')} left`
        }
        action={timeCodesSince !== null && button('Remove the authenticator app', { kind: 'app' })}
      />
      {identities.map(({ id, provider, name, createdAt, lastUsedAt, isOffered }) => (
        <EntryRow
          key={id}
          icon={iconOf(provider)}
          name={provider.name}
          tag={!isOffered && 'Not offered now'}
          facts={
            <>
              {name} · linked {formatDate(createdAt)} · last used <TimeAgo time={lastUsedAt} />
            </>
          }
          action={button(
            `Unlink ${provider.name}`,
            { kind: 'link', id, name, provider: provider.name },
            'Unlink',
          )}
        />
      ))}
      <EntryRow
        icon={IconDeviceLaptop}
        name="Sessions"
        facts={sessionCount === 0 ? 'None open' : `${sessionCount} open`}
        action={
          sessionCount > 0 &&
          button('Log out everywhere', { kind: 'sessions' }, 'Log out everywhere')
        }
      />
      {apiTokenCount > 0 && (
        <EntryRow
          icon={IconApi}
          name="API tokens"
          facts={countOf(apiTokenCount, 'token')}
          action={button('Revoke all API tokens', { kind: 'tokens' }, 'Revoke')}
        />
      )}
      {factors > 1 && onRemove && (
        <li className={look('above12')}>
          <Button variant="default" onClick={() => onRemove({ kind: 'factors' })}>
            Reset two-step sign-in
          </Button>
        </li>
      )}
    </>
  )
}
