import { useEffect, useRef } from 'react'
import { tabStorage } from '#client/platform/browser-storage.ts'
import { trpc } from '#client/trpc.ts'

/** Opening counts as a view; a reload reuses it, unless storage is forbidden. */
export function useOpening(token: string) {
  const open = trpc.shareLink.open.useMutation({
    onSuccess({ grant }) {
      if (grant !== null) tabStorage.write(keyOf(token), grant)
    },
  })
  const { mutate } = open
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    mutate({ token, grant: tabStorage.read(keyOf(token)) })
  }, [token, mutate])
  return open
}

const keyOf = (token: string) => `share-link ${token}`
