import { useEffect, useRef } from 'react'
import { trpc } from '#client/trpc.ts'

/** Opening counts as a view; a reload reuses it. */
export function useOpening(token: string) {
  const open = trpc.shareLink.open.useMutation({
    onSuccess: ({ grant }) => rememberGrant(token, grant),
  })
  const { mutate } = open
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    mutate({ token, grant: recallGrant(token) })
  }, [token, mutate])
  return open
}

const keyOf = (token: string) => `share-link ${token}`

function rememberGrant(token: string, grant: string | null): void {
  try {
    if (grant !== null) sessionStorage.setItem(keyOf(token), grant)
  } catch {
    // Without storage a reload opens the link again.
  }
}

function recallGrant(token: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(token))
  } catch {
    return null
  }
}
