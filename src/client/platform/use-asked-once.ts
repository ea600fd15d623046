import { useQuery } from '@tanstack/react-query'

/**
 * Asks when the component appears, and keeps the answer until it disappears. For procedures that read but are
 * mutations, since their answer depends on a cookie and must not be cached.
 */
export function useAskedOnce<Answer>(name: string, ask: () => Promise<Answer>) {
  return useQuery({
    queryKey: ['asked-once', name],
    queryFn: ask,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
