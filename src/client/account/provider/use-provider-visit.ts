import { useEffect, useState } from 'react'
import { trpc } from '#client/trpc.ts'

/** Opens the sign-in page of a provider. `isPending` stays true until the browser has left this page. */
export function useProviderVisit() {
  const [isLeaving, setLeaving] = useState(false)
  const begin = trpc.provider.begin.useMutation({
    onSuccess: ({ url }) => {
      setLeaving(true)
      location.assign(url)
    },
  })
  // The back button may restore this page from the browser's cache.
  useEffect(() => {
    const stay = () => setLeaving(false)
    addEventListener('pageshow', stay)
    return () => removeEventListener('pageshow', stay)
  }, [])
  return {
    begin: begin.mutate,
    isPending: begin.isPending || isLeaving,
    id: begin.variables?.id,
    error: begin.error,
  }
}
