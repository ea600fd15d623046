import { useLocation, useSearch } from '@tanstack/react-router'
import { useLayoutEffect, useState } from 'react'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { takeOver } from '../../watch/arriving/handed-over.ts'
import { startSecondsOf } from '../../watch/player/core/time-address.ts'
import { showVideo } from '../../watch/player/host/hosted-player.ts'
import { ProcessingPanel } from '../../watch/player/lazy-processing-panel.ts'
import { VideoUnavailable } from '../../watch/player/playback-error.tsx'
import { PlayerLayer } from './player-layer.tsx'
import { playsAtOnce } from './plays-at-once.ts'

/** Positions the player, or shows what replaces it. */
export function WatchScreen({ video }: { video: Video }) {
  const { processingState, videoUrl } = video
  // After opening a playable video the user wants to watch; an uploader who waited may be elsewhere.
  const [wasReadyAtOnce] = useState(processingState === 'ready')
  const [left] = useState(() => takeOver(video.id))
  const isOwn = useSession()?.id === video.userId
  if (processingState !== 'ready') return <ProcessingPanel video={video} isOwn={isOwn} />
  if (!videoUrl) return <VideoUnavailable />
  const autoPlay = left?.isPlaying ?? (wasReadyAtOnce && playsAtOnce())
  return <ShownVideo {...{ video, autoPlay }} leftAt={left?.seconds} />
}

type ShownVideoProps = {
  video: Video
  autoPlay: boolean
  /** The place at which the viewer was when the upload ended. */
  leftAt: number | undefined
}

function ShownVideo({ video, autoPlay, leftAt }: ShownVideoProps) {
  const search = useLocation({ select: ({ searchStr }) => searchStr })
  const { list } = useSearch({ from: '/shell/video/$id' })
  const startSeconds = leftAt ?? startSecondsOf(search, video.duration)
  useLayoutEffect(() => {
    showVideo({ video, startSeconds, autoPlay, list, Layer: PlayerLayer })
  }, [video, startSeconds, autoPlay, list])
  return null
}
