import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { TimeCodeSetup } from '#shared/schemas/second-factor.schemas.ts'
import { CodeField } from '../auth/code-field.tsx'
import { CodesDialog } from './codes-dialog.tsx'
import { SetupSecret } from './setup-secret.tsx'

type SetUpAppProps = { setup: TimeCodeSetup; username: string; onClose: () => void }

/** Shows the QR code and key, then asks for a code, then shows the recovery codes. */
export default function SetUpApp({ setup, username, onClose }: SetUpAppProps) {
  const utils = trpc.useUtils()
  const [code, setCode] = useState('')
  const confirm = trpc.security.confirmTimeCodes.useMutation({
    onSuccess: async ({ recoveryCodes }) => {
      notify({ title: 'Authenticator app added' })
      await utils.security.factors.invalidate()
      if (!recoveryCodes) onClose()
    },
  })
  if (confirm.data?.recoveryCodes) {
    const codes = confirm.data.recoveryCodes
    return <CodesDialog codes={codes} username={username} onClose={onClose} />
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate({ code })
  }
  return (
    <Dialog title="Set up an authenticator app" size={520} onClose={onClose}>
      <form className={stack(16)} noValidate onSubmit={submit}>
        <SetupSecret setup={setup} />
        <CodeField
          data-autofocus
          value={code}
          onChange={setCode}
          description="The code that the app shows now"
        />
        <div className={row(12, 'wrap', 'end')}>
          <p className={look('grow', 'problem')} role="alert">
            {confirm.error && errorSentence(confirm.error)}
          </p>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={confirm.isPending || code.trim() === ''}>
            {confirm.isPending ? 'Checking...' : 'Turn on'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
