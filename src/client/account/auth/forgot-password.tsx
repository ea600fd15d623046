import { look } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { trpc } from '#client/trpc.ts'

type ForgotPasswordProps = { username: string; onClose: () => void }

/** Requests a password link by email. Shown only on sites that send email. */
export default function ForgotPassword({ username, onClose }: ForgotPasswordProps) {
  const [name, setName] = useState(username)
  const [isSent, setSent] = useState(false)
  const forget = trpc.auth.forgotPassword.useMutation({ onSuccess: () => setSent(true) })
  if (isSent) {
    return (
      <Dialog title="Check your email" onClose={onClose} size={480} isSpaced>
        <p role="status">
          If there is an account for {name.trim()}, a link to a new password is on its way to its
          email address. It works for one hour.
        </p>
        <p className={look('muted')}>
          No email? Check your spam folder, or ask an admin for a link.
        </p>
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
      </Dialog>
    )
  }
  return (
    <AskDialog
      title="Forgot your password?"
      confirmLabel="Send link"
      pendingLabel="Sending..."
      onConfirm={async () => {
        if (name.trim() === '') throw new Error('Please enter your username or email address.')
        await forget.mutateAsync({ name })
        return 'stay'
      }}
      onClose={onClose}
    >
      <p>A link to set a new one is sent to the email address of your account.</p>
      <TextInput
        className={look('above16', 'textColor')}
        data-autofocus
        label="Username or email address"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </AskDialog>
  )
}
