import { videoAnonymized } from '#server/video/video/video.events.ts'
import { clearVideoOfPosts } from './post.queries.ts'

/** A video that becomes anonymous leaves the posts, which would name its owner. */
export function listenForPosts(): void {
  videoAnonymized.listen(async ({ db, videoId }) => {
    await clearVideoOfPosts(db, videoId)
    return []
  })
}
