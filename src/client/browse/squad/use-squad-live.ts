import { useEffect, useState } from 'react'
import { trpc } from '#client/trpc.ts'
import type { Squad } from '#shared/schemas/squad.schemas.ts'
import type { SquadTab } from './squad-tab.ts'
import { leads } from './squad-words.ts'

type Input = { squad: Squad; isCurrent: boolean; tab: SquadTab }

/**
 * Marks the squad as opened. Live events load the squad again, but not its lists.
 * @returns the news that the lists do not show yet, and a function that shows them
 */
export function useSquadLive({ squad, isCurrent, tab }: Input) {
  const { id, hasNews, memberCount, requestCount } = squad
  const utils = trpc.useUtils()
  const [isOpened, setOpened] = useState(false)
  const { mutate, isPending } = trpc.squad.open.useMutation({
    onSuccess: () => {
      const seen = (one: Squad) => (one.id === id ? { ...one, hasNews: false } : one)
      utils.squad.get.setData({ id }, (one) => one && seen(one))
      utils.squad.mine.setData(
        undefined,
        (mine) => mine && { ...mine, joined: mine.joined.map(seen) },
      )
      // A response that is still on its way may be older than the mutation.
      void utils.squad.mine.invalidate()
    },
  })
  useEffect(() => {
    if (isOpened || !isCurrent) return
    setOpened(true)
    // The lists that load with the page contain the news.
    if (hasNews) mutate({ id })
  }, [isOpened, isCurrent, hasNews, mutate, id])

  const areMembersOpen = tab === 'members'
  const members = trpc.squad.members.useQuery({ id })
  const requests = trpc.squad.requests.useQuery({ id }, { enabled: areMembersOpen && leads(squad) })
  const isBehind = (list: { data?: readonly unknown[]; isFetching: boolean }, count: number) =>
    isCurrent && !list.isFetching && list.data !== undefined && list.data.length !== count
  if (areMembersOpen && (isBehind(members, memberCount) || isBehind(requests, requestCount))) {
    return {
      text: 'The members have changed',
      onShow: () => {
        for (const list of [utils.squad.members, utils.squad.requests, utils.squad.invites]) {
          void list.invalidate({ id })
        }
      },
    }
  }
  if (!isOpened || isPending || !hasNews) return undefined
  return {
    text: 'New in the squad',
    onShow: () => {
      mutate({ id })
      for (const list of [utils.squad.posts, utils.squad.videos, utils.squad.clips]) {
        void list.invalidate({ id })
      }
    },
  }
}
