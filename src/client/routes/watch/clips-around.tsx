import { DEFAULT_CATEGORY } from '#shared/limits.ts'
import { trpc } from '../../trpc.ts'
import { ClipRow } from './clips-of-video.tsx'

/** Shows one row of clips of other videos, first of the same evening and then of the same game. */
export function ClipsAround({ id, category }: { id: number; category: string }) {
  const { data } = trpc.clip.around.useQuery({ id })
  if (!data) return null
  const { evening, game } = data
  const clips = [...evening, ...game]
  if (clips.length === 0) return null
  const more = category === DEFAULT_CATEGORY ? 'More clips' : `More ${category} clips`
  const title = evening.length > 0 ? 'From the same evening' : more
  const both = `${title}, and ${more.charAt(0).toLowerCase()}${more.slice(1)}`
  return <ClipRow title={evening.length > 0 && game.length > 0 ? both : title} clips={clips} />
}
