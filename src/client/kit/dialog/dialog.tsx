import { stack } from '../layout/layout.ts'
import '../styles/mantine-pages.css'
import { Modal, type ModalProps } from '@mantine/core'
import { useFocusReturn, useId, useMounted } from '@mantine/hooks'
import { useEffect, useSyncExternalStore } from 'react'

type DialogProps = Omit<ModalProps, 'opened'> & {
  title: string
  isSpaced?: boolean
}

/** Modal while mounted; restores the focus. */
export function Dialog({ isSpaced, ...props }: DialogProps) {
  const isTop = useIsTop()
  return (
    <Modal
      closeOnEscape={isTop}
      {...(isSpaced && { classNames: { body: stack(16) } })}
      {...props}
      {...useOpenDialog()}
    />
  )
}

/** For Mantine dialogs that are open while mounted; restores the focus. */
export function useOpenDialog() {
  const opened = useMounted()
  const returnFocus = useFocusReturn({ opened, shouldReturnFocus: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the same element all along.
  useEffect(() => returnFocus, [])
  return { opened, returnFocus: false }
}

let open: readonly string[] = []
const listeners = new Set<() => void>()

function setOpen(next: readonly string[]): void {
  open = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Escape closes the topmost only. */
function useIsTop(): boolean {
  const id = useId()
  useEffect(() => {
    setOpen([...open, id])
    return () => setOpen(open.filter((other) => other !== id))
  }, [id])
  return useSyncExternalStore(subscribe, () => open.at(-1)) === id
}
