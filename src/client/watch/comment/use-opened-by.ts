import { useState } from 'react'

/**
 * State of a disclosure that a link to its content opens, also when followed on the page.
 * @param linkedId linked item inside, or null
 */
export function useOpenedBy(linkedId: number | null) {
  const [seenId, setSeenId] = useState(linkedId)
  const [isOpen, setOpen] = useState(linkedId !== null)
  if (seenId !== linkedId) {
    setSeenId(linkedId)
    if (linkedId !== null) setOpen(true)
  }
  return [isOpen, setOpen] as const
}
