import { DEFAULT_CATEGORY } from '#shared/limits.ts'
import { trpc } from '../../trpc.ts'
import { ClipRow } from './clips-of-video.tsx'

/** Clips of other videos: of the same evening, and of the same game. */
export function ClipsAround({ id, category }: { id: number; category: string }) {
  const { data } = trpc.clip.around.useQuery({ id })
  const { evening = [], game = [] } = data ?? {}
  const ofGame = category === DEFAULT_CATEGORY ? 'More clips' : `More ${category} clips`
  return (
    <>
      {evening.length > 0 && <ClipRow title="From the same evening" clips={evening} />}
      {game.length > 0 && <ClipRow title={ofGame} clips={game} />}
    </>
  )
}
