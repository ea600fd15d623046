import type { ComponentProps } from 'react'
import { PAGE_SIZE } from '#shared/limits.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { usePositions } from './use-positions.ts'
import { VideoRow } from './video-row.tsx'

type ResumableRowProps = Omit<ComponentProps<typeof VideoRow>, 'positionSeconds'> & {
  /** Rows of a list share one query. */
  list: readonly Video[]
}

/** A video row that shows its resume position. */
export function ResumableRow({ list, ...row }: ResumableRowProps) {
  const index = list.indexOf(row.video)
  const start = index - (index % PAGE_SIZE)
  const positions = usePositions(list.slice(start, start + PAGE_SIZE))
  return <VideoRow positionSeconds={positions.get(row.video.id)} {...row} />
}
