import '../../kit/styles/mantine-pages.css'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { RESET_HOURS } from '#shared/admin-limits.ts'
import type { Member } from '#shared/schemas/desk/member.schemas.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { trpc } from '../../trpc.ts'
import { LinkForOthers } from '../setup/link-for-others.tsx'
import { useDeskAction } from '../use-desk-action.ts'

type ResetDialogProps = { member: Member; isSelf: boolean; onClose: () => void }

/** The link is shown once only. */
export function ResetDialog({ member, isSelf, onClose }: ResetDialogProps) {
  const [path, setPath] = useState<string>()
  const [allWays, setAllWays] = useState(false)
  const action = useDeskAction('member')
  const reset = trpc.member.resetPassword.useMutation(action({}))
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
      isDanger={allWays}
      onConfirm={async () => {
        const { token } = await reset.mutateAsync({ userId: member.id, allWays })
        setPath(`/reset#${token}`)
        return 'stay'
      }}
      onClose={onClose}
    >
      <p>
        You get a link with which they set a new one. It ends their sessions now
        {allWays ? '.' : '; until they use it their password stays as it is.'}
      </p>
      {!isSelf && (
        <Checkbox
          className={look('above16', 'textColor')}
          label="The account was taken over"
          description="Removes the password, passkeys, authenticator app, linked accounts and API tokens at once. Only the link lets them in."
          checked={allWays}
          onChange={(event) => setAllWays(event.currentTarget.checked)}
        />
      )}
    </AskDialog>
  )
}
