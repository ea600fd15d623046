import { Button } from '@mantine/core'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { row } from '#client/kit/layout/layout.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

type CodesDialogProps = { codes: string[]; username: string; onClose: () => void }

/** The codes are not shown again, so a click outside the dialog does not close it. */
export function CodesDialog({ codes, username, onClose }: CodesDialogProps) {
  return (
    <Dialog
      title="Save your recovery codes"
      size={520}
      isSpaced
      closeOnClickOutside={false}
      onClose={onClose}
    >
      <RecoveryCodes codes={codes} username={username} />
      <div className={row(12, 'end')}>
        <Button onClick={onClose}>I have saved them</Button>
      </div>
    </Dialog>
  )
}
