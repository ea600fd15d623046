import type { ReactNode } from 'react'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import type { LinkedPost } from './linked-post.ts'

/** What every post on the page needs to know. */
export type PostContext = {
  channelId: number
  viewer: OwnUser | null
  renderVideo: (video: Video) => ReactNode
  /** What the address of the page names. */
  linked?: LinkedPost | undefined
}
