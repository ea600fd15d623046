import type { ReactNode } from 'react'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

export type PostContext = {
  channelId: number
  viewer: OwnUser | null
  renderVideo: (video: Video) => ReactNode
  renderClip: (clip: Clip) => ReactNode
}
