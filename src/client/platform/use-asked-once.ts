import { useQuery } from '@tanstack/react-query'

/**
 * Calls `ask` when the component mounts and keeps the answer until it unmounts. For procedures that only read but are
 * mutations, because their answer depends on a cookie and must not be cached.
 */
export function useAskedOnce<Answer>(name: string, ask: () => Promise<Answer>) {
  return useQuery({
    queryKey: ['asked-once', name],
    queryFn: ask,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
