import type { SyntheticEvent } from 'react'

/**
 * What makes a `<dialog>` a modal one that is there for as long as it is mounted. Escape takes it away
 * in the same moment and gives the focus back: the browser alone gives the focus back first and says
 * only later that it closed, so that a quick Enter in between would be lost.
 */
export function modal(onClose: () => void) {
  return {
    ref: openModal,
    onCancel: (event: SyntheticEvent<HTMLDialogElement>) => {
      // A file field in it that was left without a choice says the same.
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      onClose()
    },
    onClose: ({ currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
      if (!currentTarget.open) onClose()
    },
  }
}

function openModal(dialog: HTMLDialogElement) {
  if (!dialog.open) dialog.showModal()
  return () => dialog.close()
}
