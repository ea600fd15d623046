import { useEffect } from 'react'
import { errorStatus } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { endPlayer } from './host/hosted-player.ts'

/** Access is polled because media that is already loaded plays on without asking the server. */
export const SQUAD_POLL = { refetchInterval: 20_000, refetchIntervalInBackground: true }

/** Ends playback once the viewer is no longer in the video's squad, or the squad is deleted. */
export function useSquadEnd({ id, squad }: Pick<Video, 'id' | 'squad'>): void {
  const query = trpc.video.get.useQuery({ id }, { enabled: squad !== null, ...SQUAD_POLL })
  const isOver = squad !== null && errorStatus(query.error) === 404
  useEffect(() => {
    if (isOver) endPlayer()
  }, [isOver])
}
