import { trpc } from '#client/trpc.ts'
import { NEW_CLIPS_SHOWN } from '#shared/limits.ts'

/** So many were liked that a site of few videos shows which. */
const FEWEST_LOVED = 4

/**
 * What was liked most this week, the games that there are videos of, and new clips; empty where that would say nothing.
 * @param few how many videos a small site has, all of which are on the page already
 */
export function useVisitorShelves(few: number | undefined) {
  const { data: loved = [] } = trpc.explore.loved.useQuery()
  const { data: games = [] } = trpc.explore.games.useQuery()
  const { data: clips } = trpc.clip.newest.useQuery({ limit: NEW_CLIPS_SHOWN })
  const played = games.filter(({ videoCount }) => videoCount > 0)
  return {
    loved: few === undefined ? loved : bestOf(loved, few),
    games: played.length > 1 ? played : [],
    clips: clips?.items ?? [],
  }
}

/** Of few videos the better half alone: else the same cards would stand there twice. */
function bestOf<Video>(loved: Video[], few: number): Video[] {
  return loved.length < FEWEST_LOVED ? [] : loved.slice(0, Math.ceil(few / 2))
}
