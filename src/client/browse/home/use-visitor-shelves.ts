import { trpc } from '#client/trpc.ts'
import { NEW_CLIPS_SHOWN } from '#shared/limits.ts'

/** Likes needed on a small site. */
const FEWEST_LOVED = 4

/**
 * New clips, and for visitors loved videos and games, where they add something.
 * @param few number of videos of a small site, all of them shown already
 */
export function useVisitorShelves(few: number | undefined, { isMember }: { isMember: boolean }) {
  const forVisitors = { enabled: !isMember }
  const { data: loved = [] } = trpc.explore.loved.useQuery(undefined, forVisitors)
  const { data: games = [] } = trpc.explore.games.useQuery(undefined, forVisitors)
  const { data: clips } = trpc.clip.newest.useQuery({ limit: NEW_CLIPS_SHOWN })
  const played = games.filter(({ videoCount }) => videoCount > 0)
  return {
    loved: few === undefined ? loved : bestOf(loved, few),
    games: played.length > 1 ? played : [],
    clips: clips?.items ?? [],
  }
}

/** A small site shows only half, to avoid the same cards twice. */
function bestOf<Video>(loved: Video[], few: number): Video[] {
  return loved.length < FEWEST_LOVED ? [] : loved.slice(0, Math.ceil(few / 2))
}
