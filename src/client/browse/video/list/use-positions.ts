import { trpc } from '#client/trpc.ts'

/** Half a page, so that a stretch's cards arrive together. */
export const STRETCH = 24

type Positions = Map<number, number>

const NONE: Positions = new Map()
const toMap = (found: { videoId: number; positionSeconds: number }[]): Positions =>
  new Map(found.map(({ videoId, positionSeconds }) => [videoId, positionSeconds]))

/**
 * Resume positions by video id.
 * @param videos at most `MAX_PAGE_SIZE`: longer lists query per stretch
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

/** Each is one query, so that a new page only asks for its own. */
export function toStretches<Item>(list: readonly Item[]): Stretch<Item>[] {
  const stretches: Stretch<Item>[] = []
  for (let start = 0; start < list.length; start += STRETCH) {
    stretches.push({ start, items: list.slice(start, start + STRETCH) })
  }
  return stretches
}
