import { UnstyledButton } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import { countOf } from '#shared/text/format.ts'
import { Comments } from '../comment/comments.tsx'
import { useOpenedBy } from '../comment/use-opened-by.ts'
import { CommentLike } from '../like/comment-like.tsx'
import type { PostContext } from './post-context.ts'
import { PostEntry } from './post-entry.tsx'
import classes from './posts.module.css'

const actionLook = row(4, 'inline', 'small', 'padX8', 'pill', 'note', 'strong')

type PostCardProps = {
  post: Post
  context: PostContext
  /** By the page's address. */
  isLinked: boolean
  /** By the page's address. */
  linkedCommentId: number | null
}

/** Comments are folded at first. */
export function PostCard({ post, context, isLinked, linkedCommentId }: PostCardProps) {
  const [isOpen, setOpen] = useOpenedBy(linkedCommentId)
  // Keeps unsent text while folded.
  const [wasOpened, setOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setOpened(true)
  const commentsId = useId()
  const { commentCount } = post
  const { viewer } = context
  return (
    <PostEntry
      post={post}
      context={context}
      isLinked={isLinked}
      action={
        <UnstyledButton
          className={`${classes.action} ${actionLook}`}
          aria-expanded={isOpen}
          aria-controls={commentsId}
          onClick={() => setOpen(!isOpen)}
        >
          <IconMessage size={18} stroke={1.75} aria-hidden />
          {commentCount === 0 ? 'Comments' : countOf(commentCount, 'comment')}
        </UnstyledButton>
      }
    >
      <div id={commentsId} hidden={!isOpen} className={look('above8')}>
        {wasOpened && (
          <Comments
            subject={{
              place: { postId: post.id },
              ownerId: post.channelId,
              isOwn: viewer?.id === post.channelId,
              areCommentsOff: false,
              durationSeconds: -1,
              onSeek: () => {},
            }}
            viewer={viewer}
            renderLike={(comment) => <CommentLike comment={comment} isSignedIn={viewer !== null} />}
          />
        )}
      </div>
    </PostEntry>
  )
}
