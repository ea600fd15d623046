import type { Member } from '#shared/schemas/desk/member.schemas.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'

type ResetSecondStepProps = { member: Member; onClose: () => void }

export function ResetSecondStepDialog({ member, onClose }: ResetSecondStepProps) {
  const reset = trpc.member.resetSecondFactor.useMutation()
  return (
    <AskDialog
      title={`Reset the two-step sign-in of ${member.displayName}?`}
      confirmLabel="Reset"
      pendingLabel="Resetting..."
      isDanger
      onConfirm={async () => {
        await reset.mutateAsync({ userId: member.id })
        notify({ title: 'Two-step sign-in reset' })
      }}
      onClose={onClose}
    >
      For a member who lost it. Their passkeys, authenticator app and recovery codes stop working,
      and they are logged out everywhere. Make sure that it is really them who asked.
    </AskDialog>
  )
}
