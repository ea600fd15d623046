import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { textStyles } from '#client/kit/layout/layout.ts'
import classes from './confirm-dialog.module.css'
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
      <div className={`${textStyles.muted} ${textStyles.breaks}`}>{props.children}</div>
      <div className={classes.actions}>
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
