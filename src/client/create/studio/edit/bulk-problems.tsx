import { look } from '#client/kit/layout/layout.ts'
import type { BulkResult, Video } from '#shared/schemas/video.schemas.ts'

type BulkProblemsProps = { result: BulkResult | undefined; videos: Video[]; verb: string }

/** Failures per video. */
export function BulkProblems({ result, videos, verb }: BulkProblemsProps) {
  if (!result || result.failed.length === 0) return null
  const titleOf = (id: number) => videos.find((video) => video.id === id)?.title ?? `Video ${id}`
  return (
    <div
      role="alert"
      className={look('above16', 'pad12', 'rounded', 'softPulse', 'breakWords', 'size13')}
    >
      <p>
        {result.done.length} {verb}. {result.failed.length} could not be:
      </p>
      <ul>
        {result.failed.map(({ id, sentence }) => (
          <li key={id}>
            <b>{titleOf(id)}</b>: {sentence}
          </li>
        ))}
      </ul>
    </div>
  )
}
