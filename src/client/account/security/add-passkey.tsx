import '#client/kit/styles/mantine-pages.css'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { look } from '#client/kit/layout/layout.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { PASSKEY_NAME_MAX } from '#shared/limits.ts'
import { makePasskey } from '../auth/ask-passkey.ts'
import { describeDevice } from '../settings/device-name.ts'

export default function AddPasskey({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils()
  const [name, setName] = useState(() => describeDevice(navigator.userAgent).name)
  const begin = trpc.security.beginPasskey.useMutation()
  const add = trpc.security.addPasskey.useMutation()
  return (
    <AskDialog
      title="Add a passkey"
      confirmLabel="Continue"
      pendingLabel="Waiting for the passkey..."
      onConfirm={async () => {
        if (name.trim() === '') throw new Error('Give it a name, so you can tell it apart later.')
        const passkey = await makePasskey(await begin.mutateAsync())
        await add.mutateAsync({ name, passkey })
        notify({ title: 'Passkey added', message: 'Choose it on the sign-in page next time.' })
        await utils.security.factors.invalidate()
      }}
      onClose={onClose}
    >
      <p>
        Your browser asks where to keep it: this device, your phone, a password manager or a
        security key.
      </p>
      <TextInput
        className={look('above16', 'textColor')}
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
