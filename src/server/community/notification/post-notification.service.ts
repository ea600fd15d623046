/** Who is notified of posts; as in notification.service.ts, inside the transaction of the act itself. */

import type { DatabaseTransaction } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import { excerpt } from './excerpt.ts'
import { insertNotifications, insertToSubscribers } from './notification.queries.ts'

type AboutPost = {
  post: Pick<Post, 'id' | 'channelId' | 'content'>
  author: Pick<Viewer, 'id' | 'displayName'>
}

/** A post: notified to the channel's subscribers. */
export function insertPostNotifications(db: DatabaseTransaction, { post, author }: AboutPost) {
  return insertToSubscribers(db, {
    channelId: post.channelId,
    type: 'subscription',
    title: `New post from ${author.displayName}`,
    message: excerpt(post.content),
    postId: post.id,
  })
}

/** A comment on a post: notified to whose channel it is on. */
export async function notifyOfPostComment(db: DatabaseTransaction, { post, author }: AboutPost) {
  if (post.channelId === author.id) return []
  await insertNotifications(db, [
    {
      userId: post.channelId,
      type: 'comment',
      title: 'New comment on your post',
      message: `${author.displayName}: ${excerpt(post.content)}`,
      sourceUserId: author.id,
      postId: post.id,
    },
  ])
  return [post.channelId]
}

/** A reply or a mention: notified once to whoever is answered and to each of `mentioned`, never to the author. */
export async function notifyOfPostReply(
  db: DatabaseTransaction,
  input: AboutPost & { answered: number | null; mentioned: number[] },
): Promise<number[]> {
  const { post, author, answered, mentioned } = input
  const others = new Set([...(answered === null ? [] : [answered]), ...mentioned])
  others.delete(author.id)
  const notified = [...others]
  await insertNotifications(
    db,
    notified.map((userId) => ({
      userId,
      type: 'comment_reply',
      title:
        userId === answered
          ? `${author.displayName} replied to your comment`
          : `${author.displayName} mentioned you`,
      message: excerpt(post.content),
      sourceUserId: author.id,
      postId: post.id,
    })),
  )
  return notified
}
