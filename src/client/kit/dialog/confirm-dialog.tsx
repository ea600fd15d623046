import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { look, wrapped } from '#client/kit/layout/layout.ts'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps = {
  onClose: () => void
  onConfirm: () => void
  title: string
  children: ReactNode
  /** A verb: 'Delete Video'. */
  confirmLabel: string
  /** Such as 'Deleting...'. */
  pendingLabel: string
  isPending: boolean
}

/** For irreversible actions. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <div className={look('muted', 'breakWords')}>{props.children}</div>
      <div className={wrapped(12, 'end', 'above24')}>
        <Button variant="default" onClick={props.onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="pulse" onClick={props.onConfirm} disabled={props.isPending}>
          {props.isPending ? props.pendingLabel : props.confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
