import { trpc } from '#client/trpc.ts'

/** Half a page of a list: cards that are of one stretch always come together. */
export const STRETCH = 24

type Positions = Map<number, number>

const NONE: Positions = new Map()
const toMap = (found: { videoId: number; positionSeconds: number }[]): Positions =>
  new Map(found.map(({ videoId, positionSeconds }) => [videoId, positionSeconds]))

/**
 * Where the session's user left off in each of `videos` that they have begun, by the video's id.
 * @param videos at most `MAX_PAGE_SIZE`: a longer list asks for one stretch of it after the other
 */
export function usePositions(videos: readonly { id: number }[]): Positions {
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  const { data } = trpc.history.positions.useQuery(
    { videoIds: videos.map((video) => video.id) },
    { enabled: Boolean(viewer) && videos.length > 0, select: toMap },
  )
  return data ?? NONE
}

type Stretch<Item> = { start: number; items: Item[] }

/** A list in stretches of which each is one question, so that a page that is added asks only for its own. */
export function toStretches<Item>(list: readonly Item[]): Stretch<Item>[] {
  const stretches: Stretch<Item>[] = []
  for (let start = 0; start < list.length; start += STRETCH) {
    stretches.push({ start, items: list.slice(start, start + STRETCH) })
  }
  return stretches
}
