import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { FoldedText } from '#client/kit/folded-text.tsx'
import { beside, column, look, row } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { RichText } from '#client/kit/video/rich-text.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { showLinked } from '#client/platform/show-linked.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import { CommentMarks } from '../comment/comment-marks.tsx'
import { PostActions } from './post-actions.tsx'
import type { PostContext } from './post-context.ts'
import { PostLike } from './post-like.tsx'
import classes from './posts.module.css'

const PostEditor = lazyPart(() => import('./post-editor.tsx'))

type PostEntryProps = {
  post: Post
  context: PostContext
  /** By the page's address. */
  isLinked: boolean
  /** Beside the likes. */
  action: ReactNode
  /** Below them. */
  children: ReactNode
}

export function PostEntry({ post, context, isLinked, action, children }: PostEntryProps) {
  const [isEditing, setEditing] = useState(false)
  const { user, video, clip } = post
  const shown = (video && context.renderVideo(video)) ?? (clip && context.renderClip(clip))
  return (
    <article
      ref={isLinked ? showLinked : undefined}
      tabIndex={isLinked ? -1 : undefined}
      className={`${classes.post} ${beside(12, 'framed', 'pad16')}`}
      data-linked={isLinked || undefined}
      aria-label={`Post by ${user.displayName}`}
    >
      <UserAvatar name={user.displayName} src={user.avatarUrl} size={40} />
      <div className={`${classes.words} ${column(4, 'shrink')}`}>
        <div className={`${classes.byline} ${row([0, 8], 'small')}`}>
          <Link
            to="/profile/$id"
            params={{ id: String(user.id) }}
            className={look('shrink', 'strong', 'breakWords', 'textColor')}
          >
            {user.displayName}
          </Link>
          <span className={`${classes.time} ${look('note')}`}>
            <TimeAgo time={post.createdAt} />
            {post.editedAt && ' (edited)'}
            {post.squad && (
              <>
                {' · only '}
                <Link to="/squad/$id" params={{ id: String(post.squad.id) }}>
                  {post.squad.name}
                </Link>
              </>
            )}
          </span>
          <PostActions post={post} viewer={context.viewer} onEdit={() => setEditing(true)} />
        </div>
        <CommentMarks comment={{ withheld: post.withheld }} />
        {isEditing ? (
          <PostEditor post={post} onDone={() => setEditing(false)} />
        ) : (
          <FoldedText text={post.content} className={look('prose')}>
            <RichText text={post.content} durationSeconds={-1} onSeek={() => {}} />
          </FoldedText>
        )}
        {shown && <div className={look('above8', 'pad8', 'card', 'bordered')}>{shown}</div>}
        <div className={`${classes.actions} ${row([4, 8], 'wrap')}`}>
          <PostLike post={post} isSignedIn={context.viewer !== null} />
          {action}
        </div>
        {children}
      </div>
    </article>
  )
}
