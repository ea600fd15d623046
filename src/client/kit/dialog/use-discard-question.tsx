import { Button } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { wrapped } from '../layout/layout.ts'

/**
 * `close` asks before unsaved input is lost, by `question` at the foot of the dialog. Escape then
 * continues editing.
 */
export function useDiscardQuestion(isDirty: boolean, onClose: () => void) {
  const [isAsking, setAsking] = useState(false)
  const before = useRef<Element>(null)
  const keep = () => {
    setAsking(false)
    if (before.current instanceof HTMLElement) before.current.focus()
  }
  const close = () => {
    if (!isDirty) return onClose()
    if (isAsking) return keep()
    before.current = document.activeElement
    setAsking(true)
  }
  const question: ReactNode = isAsking && (
    <div role="alert" className={wrapped(12, 'end', 'above24')}>
      <p>Discard your changes?</p>
      <Button variant="default" ref={focusOn} onClick={keep}>
        Keep editing
      </Button>
      <Button color="pulse" onClick={onClose}>
        Discard
      </Button>
    </div>
  )
  return { close, question }
}

const focusOn = (button: HTMLButtonElement | null) => button?.focus()
