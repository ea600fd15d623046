import { useEffect, useState } from 'react'
import { trpc } from '#client/trpc.ts'

/** Leaves the site for a provider. It stays pending until the browser has left. */
export function useProviderVisit() {
  const [isLeaving, setLeaving] = useState(false)
  const begin = trpc.provider.begin.useMutation({
    onSuccess: ({ url }) => {
      setLeaving(true)
      location.assign(url)
    },
  })
  // The page may be shown again, as it was, by the button to go back.
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
