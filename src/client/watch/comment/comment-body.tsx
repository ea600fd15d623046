import { Badge, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefCallback, useRef, useState } from 'react'
import { FoldedText } from '#client/kit/folded-text.tsx'
import { beside, column, look, row, wrapped } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { RichText } from '#client/kit/video/rich-text.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { showLinked } from '#client/platform/show-linked.ts'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import { type CommentContext, isPost } from './comment-context.ts'
import { CommentForm } from './comment-form.tsx'
import classes from './comment-item.module.css'
import { CommentMarks } from './comment-marks.tsx'
import { isDraft } from './use-post-comment.ts'

const CommentEditor = lazyPart(() => import('./comment-editor.tsx'))

export const CommentActions = lazyPart(() => import('./comment-actions.tsx'))

type CommentBodyProps = {
  comment: Comment
  context: CommentContext
  onReplied: () => void
  /** The replies of a top comment. */
  children?: ReactNode
}

const DELETED = 'Deleted user'

export function CommentBody({ comment, context, onReplied, children }: CommentBodyProps) {
  const signIn = useSignInLink()
  const [isReplying, setReplying] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const replyButton = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  const returnAfterEdit: RefCallback<HTMLButtonElement> = (button) => {
    if (!button || !wasEditing.current) return
    wasEditing.current = false
    button.focus()
  }
  const edit = () => {
    wasEditing.current = true
    setEditing(true)
  }
  const { viewer, subject } = context
  const { user } = comment
  const name = user?.displayName ?? DELETED
  const isPosting = isDraft(comment)
  const isLinked = comment.id === context.linkedId
  return (
    <article
      ref={isLinked ? showLinked : undefined}
      tabIndex={isLinked ? -1 : undefined}
      className={`${classes.comment} ${beside(12)}`}
      data-linked={isLinked || undefined}
      data-posting={isPosting || undefined}
      aria-label={`Comment by ${name}`}
    >
      <UserAvatar
        name={user ? name : '?'}
        isNobody={!user}
        src={user?.avatarUrl ?? null}
        size={comment.parentId === null && !isPost(subject.place) ? 36 : 28}
      />
      <div className={`${classes.words} ${column(0, 'start', 'shrink')}`}>
        <p className={wrapped([0, 8], 'baseline', 'tightLines')}>
          {user ? (
            <Link
              to="/profile/$id"
              params={{ id: String(user.id) }}
              className={`${classes.name} ${look('strong', 'breakWords', 'textColor')}`}
            >
              {name}
            </Link>
          ) : (
            <span className={classes.deleted}>{name}</span>
          )}
          {user && user.id === subject.ownerId && (
            <Badge variant="default" className={classes.owner}>
              {isPost(subject.place) ? 'Author' : 'Uploader'}
            </Badge>
          )}
          <span className={look('note')}>
            {isPosting ? 'Posting...' : <TimeAgo time={comment.createdAt} />}
            {comment.editedAt && ' (edited)'}
          </span>
        </p>
        <CommentMarks comment={comment} />
        {isEditing ? (
          <CommentEditor comment={comment} onDone={() => setEditing(false)} />
        ) : (
          <>
            <FoldedText text={comment.content} className={look('prose')} isOpenAtFirst={isLinked}>
              <RichText
                text={comment.content}
                durationSeconds={subject.durationSeconds}
                onSeek={subject.onSeek}
              />
            </FoldedText>
            <div className={`${classes.actions} ${row([0, 8], 'wrap')}`} hidden={isPosting}>
              {context.renderLike(comment)}
              {viewer && !subject.areCommentsOff && (
                <UnstyledButton
                  ref={replyButton}
                  className={classes.action}
                  aria-expanded={isReplying}
                  onClick={() => setReplying(!isReplying)}
                >
                  REPLY
                </UnstyledButton>
              )}
              {!viewer && !subject.areCommentsOff && (
                <Link {...signIn} className={classes.action}>
                  Sign in to reply
                </Link>
              )}
              {viewer && !isPosting && (
                <CommentActions
                  comment={comment}
                  viewer={viewer}
                  ownsSubject={subject.isOwn}
                  onEdit={edit}
                  openerRef={returnAfterEdit}
                />
              )}
            </div>
          </>
        )}
        {viewer && isReplying && (
          <CommentForm
            viewer={viewer}
            listInput={context.listInput}
            answers={{ commentId: comment.id, topId: comment.parentId ?? comment.id, name }}
            onSent={onReplied}
            onDone={() => {
              setReplying(false)
              replyButton.current?.focus({ preventScroll: true })
            }}
          />
        )}
        {children}
      </div>
    </article>
  )
}
