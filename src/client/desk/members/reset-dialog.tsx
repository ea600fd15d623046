import { useState } from 'react'
import { RESET_HOURS } from '#shared/admin-limits.ts'
import type { Member } from '#shared/schemas/desk/member.schemas.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { trpc } from '../../trpc.ts'
import { LinkForOthers } from '../setup/link-for-others.tsx'

/** The link is shown once only. */
export function ResetDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const [path, setPath] = useState<string>()
  const reset = trpc.member.resetPassword.useMutation()
  if (path) {
    return (
      <AskDialog
        key="link"
        title={`A link for ${member.displayName}`}
        confirmLabel="Done"
        pendingLabel="Done"
        onConfirm={async () => {}}
        onClose={onClose}
      >
        <p>Send it to them. It works once and for {RESET_HOURS} hours, and is not shown again.</p>
        <LinkForOthers
          label="Link to a new password"
          path={path}
          message="Link copied to clipboard."
        />
      </AskDialog>
    )
  }
  return (
    <AskDialog
      title={`Reset the password of ${member.displayName}?`}
      confirmLabel="Create link"
      pendingLabel="Creating..."
      onConfirm={async () => {
        const { token } = await reset.mutateAsync({ userId: member.id })
        setPath(`/reset#${token}`)
        return 'stay'
      }}
      onClose={onClose}
    >
      You get a link with which they set a new one. It ends their sessions now; until they use it
      their password stays as it is.
    </AskDialog>
  )
}
