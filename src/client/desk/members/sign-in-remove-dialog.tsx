import type { Member } from '#shared/schemas/desk/member.schemas.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { trpc } from '../../trpc.ts'
import { useDeskAction } from '../use-desk-action.ts'

export type Removal =
  | { kind: 'passkey'; id: number; name: string }
  | { kind: 'link'; id: number; name: string; provider: string }
  | { kind: 'app' | 'factors' | 'sessions' | 'tokens' }

type Words = { title: string; text: string; confirm: string; pending: string }

const REMOVE = { confirm: 'Remove', pending: 'Removing...' }
const TOLD = 'They are logged out everywhere and notified.'

function wordsOf(removal: Removal, member: string): Words {
  switch (removal.kind) {
    case 'passkey':
      return {
        ...REMOVE,
        title: `Remove a passkey of ${member}?`,
        text: `“${removal.name}” no longer signs them in. ${TOLD}`,
      }
    case 'link':
      return {
        ...{ confirm: 'Unlink', pending: 'Unlinking...' },
        title: `Unlink ${removal.provider} from ${member}?`,
        text: `${removal.name} no longer signs them in with ${removal.provider}, and what roles there gave is taken away. ${TOLD}`,
      }
    case 'app':
      return {
        ...REMOVE,
        title: `Remove the authenticator app of ${member}?`,
        text: `Signing in no longer asks for its codes. ${TOLD}`,
      }
    case 'factors':
      return {
        ...{ confirm: 'Reset', pending: 'Resetting...' },
        title: `Reset the two-step sign-in of ${member}?`,
        text: `For a member who lost it: passkeys, authenticator app and recovery codes stop working. ${TOLD} Make sure that it is really them who asked.`,
      }
    case 'tokens':
      return {
        ...{ confirm: 'Revoke', pending: 'Revoking...' },
        title: `Revoke the API tokens of ${member}?`,
        text: `Programs that use them stop working. ${TOLD}`,
      }
    case 'sessions':
      return {
        ...{ confirm: 'Log out', pending: 'Logging out...' },
        title: `Log ${member} out everywhere?`,
        text: 'They are logged out on all devices and notified, and can sign in again.',
      }
  }
}

type RemoveDialogProps = { member: Member; removal: Removal; onClose: () => void }

export function RemoveDialog({ member, removal, onClose }: RemoveDialogProps) {
  const remove = useRemove()
  const { title, text, confirm, pending } = wordsOf(removal, member.displayName)
  return (
    <AskDialog
      title={title}
      confirmLabel={confirm}
      pendingLabel={pending}
      isDanger
      onConfirm={() => remove(member.id, removal)}
      onClose={onClose}
    >
      {text}
    </AskDialog>
  )
}

function useRemove() {
  const action = useDeskAction('member', 'audit')
  const { removePasskey, unlink, removeTimeCodes, resetSecondFactor, revokeTokens, endSessions } =
    trpc.member
  const passkey = removePasskey.useMutation(action({ done: 'Passkey removed' }))
  const link = unlink.useMutation(action({ done: 'Account unlinked' }))
  const app = removeTimeCodes.useMutation(action({ done: 'Authenticator app removed' }))
  const factors = resetSecondFactor.useMutation(action({ done: 'Two-step sign-in reset' }))
  const tokens = revokeTokens.useMutation(action({ done: 'API tokens revoked' }))
  const sessions = endSessions.useMutation(action({ done: 'Logged out everywhere' }))
  return (userId: number, removal: Removal) => {
    switch (removal.kind) {
      case 'passkey':
        return passkey.mutateAsync({ userId, id: removal.id })
      case 'link':
        return link.mutateAsync({ userId, id: removal.id })
      case 'app':
        return app.mutateAsync({ userId })
      case 'factors':
        return factors.mutateAsync({ userId })
      case 'tokens':
        return tokens.mutateAsync({ userId })
      case 'sessions':
        return sessions.mutateAsync({ userId })
    }
  }
}
