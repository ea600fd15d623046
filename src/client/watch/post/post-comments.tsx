import { Button, UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { LoadMore } from '#client/kit/list/load-more.tsx'
import { errorMessage, serverSentence } from '#client/platform/error-message.ts'
import { handFocusOn } from '#client/platform/hand-focus-on.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { COMMENT_MAX } from '#shared/limits.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import { CommentsSkeleton } from '../comment/comments.tsx'
import { MentionField } from '../mention/mention-field.tsx'
import type { PostContext } from './post-context.ts'
import { PostEntry } from './post-entry.tsx'
import classes from './posts.module.css'

/** What is said to a post, the newest first. */
export function PostComments({ post, context }: { post: Post; context: PostContext }) {
  const [content, setContent] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const comments = trpc.post.comments.useInfiniteQuery(
    { id: post.id },
    { getNextPageParam: (page) => page.nextCursor ?? undefined },
  )
  const items = comments.data?.pages.flatMap((page) => page.items)
  const reply = (username: string) => {
    setContent((text) => (text.startsWith(`@${username} `) ? text : `@${username} ${text}`))
    field.current?.focus()
  }
  return (
    <>
      {context.viewer ? (
        <CommentForm post={post} field={field} content={content} onChange={setContent} />
      ) : (
        <p>
          <LinkButton to="/auth" variant="default">
            Sign in to add a comment
          </LinkButton>
        </p>
      )}
      {comments.isPending && <CommentsSkeleton />}
      {comments.isError && !items && (
        <LoadError
          text={`Error loading comments: ${errorMessage(comments.error)}`}
          error={comments.error}
          onRetry={() => void comments.refetch()}
        />
      )}
      {items?.length === 0 && <p className={classes.quiet}>No comments yet</p>}
      {items && items.length > 0 && (
        <ul className={classes.list}>
          {items.map((comment) => (
            <li key={comment.id} ref={handFocusOn}>
              <PostEntry
                post={comment}
                context={context}
                action={
                  context.viewer &&
                  comment.user && <ReplyButton username={comment.user.username} onReply={reply} />
                }
              />
            </li>
          ))}
        </ul>
      )}
      {items && <LoadMore query={comments} />}
    </>
  )
}

type ReplyButtonProps = { username: string; onReply: (username: string) => void }

function ReplyButton({ username, onReply }: ReplyButtonProps) {
  return (
    <UnstyledButton className={classes.action} onClick={() => onReply(username)}>
      Reply
    </UnstyledButton>
  )
}

type CommentFormProps = {
  post: Post
  field: RefObject<HTMLTextAreaElement | null>
  content: string
  onChange: (text: string) => void
}

function CommentForm({ post, field, content, onChange }: CommentFormProps) {
  const utils = trpc.useUtils()
  const send = trpc.post.comment.useMutation({
    onSuccess: async ({ withheld }) => {
      onChange('')
      notify({
        title: 'Comment added',
        message: withheld
          ? 'Others see it once the people who run this site have looked at it.'
          : 'Your comment has been posted successfully.',
      })
      await utils.post.invalidate()
    },
    onError: (error) => notify({ tone: 'error', title: 'Error', message: serverSentence(error) }),
  })
  const isSendable = content.trim() !== '' && !send.isPending
  const submit = () => {
    if (isSendable) send.mutate({ id: post.id, content })
  }
  const cancel = () => {
    onChange('')
    field.current?.focus()
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <MentionField
        ref={field}
        aria-label="Add a comment"
        placeholder="Add a comment..."
        rows={1}
        maxLength={COMMENT_MAX}
        classNames={{ input: classes.input }}
        value={content}
        onChange={onChange}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
        }}
      />
      {content !== '' && (
        <div className={classes.formFoot}>
          <Button variant="subtle" size="sm" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" size="sm" className={classes.submit} disabled={!isSendable}>
            {send.isPending ? 'Posting...' : 'Comment'}
          </Button>
        </div>
      )}
    </form>
  )
}
