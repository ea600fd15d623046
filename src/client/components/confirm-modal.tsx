import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useReturnFocus } from '../lib/use-return-focus.ts'
import classes from './confirm-modal.module.css'

type ConfirmModalProps = {
  opened: boolean
  onClose: () => void
  onConfirm: () => void
  title: string
  children: ReactNode
  /** A verb: 'Delete Video'. */
  confirmLabel: string
  /** What the button says while it is being done: 'Deleting...'. */
  pendingLabel: string
  pending: boolean
}

/** Asks before something that cannot be undone. Load it lazily: it brings Mantine's modal along. */
export function ConfirmModal(props: ConfirmModalProps) {
  useReturnFocus()
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      centered
      radius="lg"
      closeButtonProps={{ 'aria-label': 'Close', size: 44, iconSize: 20 }}
      classNames={{ title: classes.title }}
    >
      <div className={classes.text}>{props.children}</div>
      <div className={classes.actions}>
        <Button variant="default" onClick={props.onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="pulse" onClick={props.onConfirm} disabled={props.pending}>
          {props.pending ? props.pendingLabel : props.confirmLabel}
        </Button>
      </div>
    </Modal>
  )
}
