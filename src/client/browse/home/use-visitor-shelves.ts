import { trpc } from '#client/trpc.ts'
import { NEW_CLIPS_SHOWN } from '#shared/limits.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type { Tonight } from '#shared/schemas/home.schemas.ts'

/** A small site shows loved videos only if there are at least this many. */
const FEWEST_LOVED = 3

/**
 * Returns new clips, loved videos and games for the home page. Only visitors get tiles of games.
 * @param few number of videos of a small site, which shows them all already; otherwise undefined
 * @param options.isNear whether the shelves are near the window; a member's are not loaded before
 */
export function useVisitorShelves(
  few: number | undefined,
  { isMember, isNear }: { isMember: boolean; isNear: boolean },
) {
  const { data: tonight } = trpc.home.tonight.useQuery()
  const { data: shelves } = trpc.home.shelves.useQuery(undefined, {
    enabled: !isMember || (isNear && few === undefined),
  })
  const { data: tiles = [] } = trpc.explore.games.useQuery(undefined, { enabled: !isMember })
  const { data: clips } = trpc.clip.newest.useQuery({ limit: NEW_CLIPS_SHOWN })
  const { loved: all = [], games = [] } = shelves ?? {}
  const loved = all.filter(({ id }) => tonight?.kind !== 'video' || id !== tonight.video.id)
  const played = isMember ? [] : tiles.filter(({ videoCount }) => videoCount > 0)
  return {
    loved: few === undefined ? loved : bestOf(loved, few),
    games: few === undefined ? games : [],
    tiles: played.length > 1 ? played : [],
    clips: clipsOf(clips?.items ?? [], tonight),
  }
}

/** Leaves out a clip that is the only one and stands at the top already. */
function clipsOf(clips: Clip[], tonight: Tonight | null | undefined): Clip[] {
  const isShown = tonight?.kind === 'clip' && clips.every(({ id }) => id === tonight.clip.id)
  return isShown ? [] : clips
}

/** A small site shows only half, to avoid the same cards twice. */
function bestOf<Video>(loved: Video[], few: number): Video[] {
  return loved.length < FEWEST_LOVED ? [] : loved.slice(0, Math.ceil(few / 2))
}
