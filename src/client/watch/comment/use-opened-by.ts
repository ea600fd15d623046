import { useState } from 'react'

/**
 * Whether something is unfolded: a link to something in it unfolds it, also one that is followed while it is on the page.
 * @param linkedId of what the address names, if that is in here; else null
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
