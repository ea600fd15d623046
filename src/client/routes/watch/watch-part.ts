import type { RefObject } from 'react'
import type { Video } from '#shared/schemas/video.schemas.ts'
import type { PlayerHandle } from '../../watch/player/video-player.tsx'

export type WatchPart = { video: Video; player: RefObject<PlayerHandle | null> }
