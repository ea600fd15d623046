import { useEffect } from 'react'
import { errorStatus } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { endPlayer } from './host/hosted-player.ts'

/** Access is polled because media that is already loaded plays on without asking the server. */
export const SQUAD_POLL = { refetchInterval: 20_000, refetchIntervalInBackground: true }

type SquadVideo = Pick<Video, 'id' | 'squad'>

/**
 * Asks while `isWatched`.
 * @returns whether the viewer is no longer in the video's squad, or the squad is deleted
 */
export function useIsSquadOver({ id, squad }: SquadVideo, isWatched: boolean): boolean {
  const enabled = squad !== null && isWatched
  const query = trpc.video.get.useQuery({ id }, { enabled, ...SQUAD_POLL })
  return squad !== null && errorStatus(query.error) === 404
}

/** Ends playback once the viewer may no longer see the squad's video. */
export function useSquadEnd(video: SquadVideo): void {
  const isOver = useIsSquadOver(video, true)
  useEffect(() => {
    if (isOver) endPlayer()
  }, [isOver])
}
