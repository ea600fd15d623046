import { type Comment, commentSchema } from '#shared/comment.schemas.ts'
import type { PageInput } from '#shared/field.schemas.ts'
import { pageSchema } from '#shared/field.schemas.ts'
import type { Viewer } from '../auth/lucia.ts'
import { type Database, followChanges } from '../db/database.ts'
import { createKept, type Kept } from '../db/kept.ts'
import { readyPage } from '../ready-answer.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import { listComments } from './comment.queries.ts'

const PAGES_BYTES_MAX = 8 * 1024 * 1024
const outputSchema = pageSchema(commentSchema)

type ReadyPage = { items: string; nextCursor: string | null }

const stores = new WeakMap<Database, Kept<ReadyPage>>()

function storeOf(db: Database): Kept<ReadyPage> {
  const known = stores.get(db)
  if (known) return known
  const store = createKept<ReadyPage>(followChanges(db), {
    bytesMax: PAGES_BYTES_MAX,
    bytesOf: ({ items }) => items.length * 2,
  })
  stores.set(db, store)
  return store
}

/**
 * Top comments of a video, newest first, each with its first replies; read again only when any of it
 * has changed.
 * @throws AppError `not-found` when the video is not visible to `viewer`
 */
export async function readComments(
  db: Database,
  input: PageInput & { id: number; viewer: Viewer | undefined },
) {
  const { id, viewer, limit, cursor } = input
  const key = JSON.stringify([viewer?.id, viewer?.isAdmin, id, limit, cursor])
  const page = await storeOf(db).read(key, async () => {
    await requireVideoOwner(db, { id, viewer })
    const found = await listComments(db, { ...input, videoId: id })
    const { items, nextCursor } = outputSchema.parse(found)
    return { items: JSON.stringify(items), nextCursor }
  })
  return readyPage<Comment>({ ...page, items: [page.items] })
}
