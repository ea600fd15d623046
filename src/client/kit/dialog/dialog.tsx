import '../styles/mantine-pages.css'
import { Modal, type ModalProps } from '@mantine/core'
import { useFocusReturn, useId, useMounted } from '@mantine/hooks'
import { useEffect, useSyncExternalStore } from 'react'
import classes from './dialog.module.css'

type DialogProps = Omit<ModalProps, 'opened'> & {
  title: string
  /** Puts room between what is in it. */
  isSpaced?: boolean
}

/**
 * A modal dialog that is there for as long as it is mounted: it holds the focus, closes on Escape, and gives the focus
 * back to what had it before.
 */
export function Dialog({ isSpaced, ...props }: DialogProps) {
  const isTop = useIsTop()
  return (
    <Modal
      closeOnEscape={isTop}
      {...(isSpaced && { classNames: { body: classes.spaced } })}
      {...props}
      {...useOpenDialog()}
    />
  )
}

/** For a Mantine dialog that is open for as long as it is mounted; what had the focus before gets it back. */
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

/** Of dialogs over each other, Escape is for the one on top. */
function useIsTop(): boolean {
  const id = useId()
  useEffect(() => {
    setOpen([...open, id])
    return () => setOpen(open.filter((other) => other !== id))
  }, [id])
  return useSyncExternalStore(subscribe, () => open.at(-1)) === id
}
