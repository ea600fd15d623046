import { IconMapPin } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { row } from '#client/kit/layout/layout.ts'
import { trpc } from '#client/trpc.ts'
import { PROPOSAL_SECONDS_MIN } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

const KEPT_MS = 60_000

/** For longer recordings. */
export function MomentsNote({ video }: { video: Video }) {
  const { id, title, duration, processingState } = video
  const isLong = processingState === 'ready' && duration > PROPOSAL_SECONDS_MIN
  const { data } = trpc.moment.list.useQuery({ id }, { enabled: isLong, staleTime: KEPT_MS })
  if (!isLong || !data) return null
  const text = data.length === 0 ? 'Add moments' : foundText(data.length)
  return (
    <Link
      to="/studio/moments/$id"
      params={{ id: String(id) }}
      className={row(8, 'inline', 'small', 'infoColor', 'size13')}
      aria-label={data.length === 0 ? `Add moments to ${title}` : `${text} in ${title}`}
    >
      <IconMapPin size={16} stroke={1.75} aria-hidden />
      {text}
    </Link>
  )
}

export function foundText(count: number): string {
  return `${count} ${count === 1 ? 'moment' : 'moments'} found`
}
