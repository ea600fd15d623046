import { timestamp } from '#server/platform/db/database.ts'

type About = {
  videoId?: number | null
  clipId?: number | null
  postId?: number | null
  squadId?: number
  channelId?: number
}

/**
 * Returns the key of a group, which has the notifications of one kind about one subject within a
 * day (UTC), and the text that follows the names, as in 'Tom and 4 others'. See
 * docs/decisions/0074-notifications-in-groups.md.
 */
export function groupOf(
  kind: 'comments' | 'replies' | 'mentions' | 'likes' | 'subscribers' | 'posts' | 'squad',
  input: { about: About; text: string; at?: string },
): { groupKey: string; groupText: string } {
  const { clipId, videoId, postId, squadId, channelId } = input.about
  const subjects = [
    squadId && `s${squadId}`,
    clipId && `c${clipId}`,
    videoId && `v${videoId}`,
    postId && `p${postId}`,
    channelId && `u${channelId}`,
  ]
  const subject = subjects.find(Boolean) ?? '-'
  return {
    groupKey: `${kind} ${subject} ${(input.at ?? timestamp()).slice(0, 10)}`,
    groupText: input.text,
  }
}
