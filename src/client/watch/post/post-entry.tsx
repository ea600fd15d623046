import { Badge } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { FoldedText } from '#client/kit/folded-text.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { RichText } from '#client/kit/video/rich-text.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import type { Post } from '#shared/schemas/post.schemas.ts'
import { CommentMarks } from '../comment/comment-marks.tsx'
import { showComment } from '../comment/linked-comment.ts'
import { PostActions } from './post-actions.tsx'
import type { PostContext } from './post-context.ts'
import { PostLike } from './post-like.tsx'
import classes from './posts.module.css'

const PostEditor = lazyPart(() => import('./post-editor.tsx'))

const DELETED = 'Deleted user'

type PostEntryProps = {
  post: Post
  context: PostContext
  /** Beside the rating. */
  action: ReactNode
  /** Below it. */
  children?: ReactNode
}

/** A post, or a comment on one: who wrote it, the text, the video, the rating. */
export function PostEntry({ post, context, action, children }: PostEntryProps) {
  const [isEditing, setEditing] = useState(false)
  const { user, video, parentId } = post
  const isComment = parentId !== null
  const isLinked = post.id === context.linked?.id
  const name = user?.displayName ?? DELETED
  const actions = <PostActions post={post} context={context} onEdit={() => setEditing(true)} />
  return (
    <article
      ref={isLinked ? showComment : undefined}
      tabIndex={isLinked ? -1 : undefined}
      className={classes.post}
      data-linked={isLinked || undefined}
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
          {isComment && user?.id === context.channelId && <Badge variant="default">Author</Badge>}
          <span className={classes.time}>
            <TimeAgo time={post.createdAt} />
            {post.editedAt && ' (edited)'}
          </span>
          {!isComment && actions}
        </div>
        <CommentMarks comment={{ ...post, isPinned: false, isHearted: false }} />
        {isEditing ? (
          <PostEditor post={post} onDone={() => setEditing(false)} />
        ) : (
          <FoldedText text={post.content} className={classes.text}>
            <RichText text={post.content} durationSeconds={-1} onSeek={() => {}} />
          </FoldedText>
        )}
        {video && <div className={classes.video}>{context.renderVideo(video)}</div>}
        <div className={classes.actions}>
          <PostLike post={post} isSignedIn={context.viewer !== null} />
          {action}
          {isComment && actions}
        </div>
        {children}
      </div>
    </article>
  )
}
