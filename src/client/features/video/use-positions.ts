import { PAGE_SIZE } from '#shared/limits.ts'
import { trpc } from '../../trpc.ts'

/**
 * Where the session's user left off in each of `videos` that they have begun, by the video's id. One
 * question per page of a list, so that a page that is added asks only for its own.
 */
export function usePositions(videos: { id: number }[]): Map<number, number> {
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  const pages: number[][] = []
  for (let start = 0; start < videos.length; start += PAGE_SIZE) {
    pages.push(videos.slice(start, start + PAGE_SIZE).map((video) => video.id))
  }
  const answers = trpc.useQueries((t) =>
    pages.map((videoIds) => t.history.positions({ videoIds }, { enabled: Boolean(viewer) })),
  )
  const positions = answers.flatMap((answer) => answer.data ?? [])
  return new Map(positions.map(({ videoId, positionSeconds }) => [videoId, positionSeconds]))
}
