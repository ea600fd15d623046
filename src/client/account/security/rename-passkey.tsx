import '#client/kit/styles/mantine-pages.css'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { look } from '#client/kit/layout/layout.ts'
import { trpc } from '#client/trpc.ts'
import { PASSKEY_NAME_MAX } from '#shared/limits.ts'
import type { Passkey } from '#shared/schemas/second-factor.schemas.ts'

type RenamePasskeyProps = { passkey: Passkey; onClose: () => void }

export default function RenamePasskey({ passkey, onClose }: RenamePasskeyProps) {
  const utils = trpc.useUtils()
  const [name, setName] = useState(passkey.name)
  const rename = trpc.security.renamePasskey.useMutation()
  return (
    <AskDialog
      title="Rename the passkey"
      confirmLabel="Rename"
      pendingLabel="Renaming..."
      onConfirm={async () => {
        if (name.trim() === '') throw new Error('Give it a name, so you can tell it apart.')
        await rename.mutateAsync({ id: passkey.id, name })
        await utils.security.factors.invalidate()
      }}
      onClose={onClose}
    >
      <TextInput
        className={look('textColor')}
        data-autofocus
        name="name"
        label="Name"
        autoComplete="off"
        maxLength={PASSKEY_NAME_MAX}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </AskDialog>
  )
}
