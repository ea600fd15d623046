import { trpc } from '#client/trpc.ts'

/** Half a page, so that a batch's cards arrive together. */
export const BATCH_SIZE = 24

type Positions = Map<number, number>

const NONE: Positions = new Map()
const toMap = (found: { videoId: number; positionSeconds: number }[]): Positions =>
  new Map(found.map(({ videoId, positionSeconds }) => [videoId, positionSeconds]))

/**
 * Resume positions by video id.
 * @param videos at most `MAX_PAGE_SIZE`: longer lists query per batch
 */
export function usePositions(videos: readonly { id: number }[]): Positions {
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  const { data } = trpc.history.positions.useQuery(
    { videoIds: videos.map((video) => video.id) },
    { enabled: Boolean(viewer) && videos.length > 0, select: toMap },
  )
  return data ?? NONE
}

type Batch<Item> = { start: number; items: Item[] }

/** Each is one query, so that a new page only asks for its own. */
export function toBatches<Item>(list: readonly Item[]): Batch<Item>[] {
  const batches: Batch<Item>[] = []
  for (let start = 0; start < list.length; start += BATCH_SIZE) {
    batches.push({ start, items: list.slice(start, start + BATCH_SIZE) })
  }
  return batches
}
