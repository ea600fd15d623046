import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { hasTimeOfDay } from '#shared/text/time-of-day.ts'
import type { ClipRange } from './choose-range.ts'

/** Titles are requested once the ends of the range have not moved for this long. */
const REST_MS = 400

/** Returns the best title first. Until the server responds, it is the title of the video. */
export function useSuggestedTitles(
  { id: videoId, title }: Pick<Video, 'id' | 'title'>,
  range: ClipRange,
): [string, ...string[]] {
  const asked = useAtRest(range)
  const { data } = trpc.clip.suggestTitles.useQuery(
    { videoId, startSeconds: asked.start, endSeconds: asked.end },
    { placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY },
  )
  const fallback = data || hasTimeOfDay(title) ? 'My clip' : title
  const [first = fallback, ...others] = data?.titles ?? []
  return [first, ...others]
}

/** Rounds to whole seconds so that small moves send no request. */
function useAtRest(range: ClipRange): ClipRange {
  const [start, end] = [Math.floor(range.start), Math.ceil(range.end)]
  const [rested, setRested] = useState({ start, end })
  useEffect(() => {
    const timer = setTimeout(() => setRested({ start, end }), REST_MS)
    return () => clearTimeout(timer)
  }, [start, end])
  return rested
}
