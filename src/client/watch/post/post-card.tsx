import { UnstyledButton } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { RichText } from '#client/kit/video/rich-text.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import type { Post } from '#shared/schemas/post.schemas.ts'
import { CommentMarks } from '../comment/comment-marks.tsx'
import type { PostContext } from './channel-posts.tsx'
import { PostActions } from './post-actions.tsx'
import { PostComments } from './post-comments.tsx'
import { PostEditor } from './post-editor.tsx'
import { PostLike } from './post-like.tsx'
import classes from './posts.module.css'

const DELETED = 'Deleted user'

type PostCardProps = {
  post: Post
  context: PostContext
  /** Answers a comment by name. */
  onReply?: (username: string) => void
}

/** A post with the comments on it, which are folded until asked for; or one of those comments. */
export function PostCard({ post, context, onReply }: PostCardProps) {
  const [isEditing, setEditing] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const commentsId = useId()
  const { user, video, parentId, commentCount } = post
  const isComment = parentId !== null
  const name = user?.displayName ?? DELETED
  return (
    <article
      className={classes.post}
      data-comment={isComment || undefined}
      aria-label={`${isComment ? 'Comment' : 'Post'} by ${name}`}
    >
      <UserAvatar
        name={user ? name : '?'}
        isNobody={!user}
        src={user?.avatarUrl ?? null}
        size={isComment ? 28 : 40}
      />
      <div className={classes.words}>
        <div className={classes.byline}>
          {user ? (
            <Link to="/profile/$id" params={{ id: String(user.id) }} className={classes.name}>
              {name}
            </Link>
          ) : (
            <span className={classes.deleted}>{name}</span>
          )}
          <span className={classes.time}>
            <TimeAgo time={post.createdAt} />
            {post.editedAt && ' (edited)'}
          </span>
          <PostActions post={post} context={context} onEdit={() => setEditing(true)} />
        </div>
        <CommentMarks comment={{ ...post, isPinned: false, isHearted: false }} />
        {isEditing ? (
          <PostEditor post={post} onDone={() => setEditing(false)} />
        ) : (
          <p className={classes.text}>
            <RichText text={post.content} durationSeconds={-1} onSeek={() => {}} />
          </p>
        )}
        {video && <div className={classes.video}>{context.renderVideo(video)}</div>}
        <div className={classes.actions}>
          <PostLike post={post} isSignedIn={context.viewer !== null} />
          {isComment && user && onReply && (
            <UnstyledButton className={classes.action} onClick={() => onReply(user.username)}>
              Reply
            </UnstyledButton>
          )}
          {!isComment && (
            <UnstyledButton
              className={classes.action}
              aria-expanded={isOpen}
              aria-controls={commentsId}
              onClick={() => setOpen(!isOpen)}
            >
              <IconMessage size={18} stroke={1.75} aria-hidden />
              {commentCount === 1 ? '1 comment' : `${commentCount} comments`}
            </UnstyledButton>
          )}
        </div>
        {!isComment && (
          <div id={commentsId} hidden={!isOpen} className={classes.comments}>
            {isOpen && <PostComments post={post} context={context} />}
          </div>
        )}
      </div>
    </article>
  )
}
