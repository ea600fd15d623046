import { trpc } from '../trpc.ts'

/** The squads that an admin can choose. */
export function useSquads(): { id: number; name: string }[] {
  const mine = trpc.squad.mine.useQuery()
  const others = trpc.squad.list.useQuery({})
  return [...(mine.data?.joined ?? []), ...(others.data?.items ?? [])]
}
