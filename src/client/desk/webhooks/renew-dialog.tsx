import { useState } from 'react'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import type { Webhook } from '#shared/schemas/desk/webhook.schemas.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { trpc } from '../../trpc.ts'
import { SecretField } from './secret-field.tsx'

type RenewDialogProps = { webhook: Webhook; onClose: () => void }

export default function RenewDialog({ webhook, onClose }: RenewDialogProps) {
  const { id, name } = webhook
  const [secret, setSecret] = useState<string>()
  const renew = trpc.webhook.renewSecret.useMutation({
    onSuccess: (renewed) => setSecret(renewed.secret),
  })
  if (secret !== undefined) {
    return (
      <Dialog title={`New secret of ${name}`} isSpaced onClose={onClose}>
        <SecretField secret={secret} onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <AskDialog
      title={`New secret for ${name}?`}
      confirmLabel="Make a new secret"
      pendingLabel="Making it..."
      onConfirm={async () => {
        await renew.mutateAsync({ id })
        return 'stay'
      }}
      onClose={onClose}
    >
      For a day, messages are signed with both secrets, so that you can change it at the receiver.
    </AskDialog>
  )
}
