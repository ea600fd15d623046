import { UnstyledButton } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { Post } from '#shared/schemas/post.schemas.ts'
import { useOpenedBy } from '../comment/use-opened-by.ts'
import { PostComments } from './post-comments.tsx'
import type { PostContext } from './post-context.ts'
import { PostEntry } from './post-entry.tsx'
import classes from './posts.module.css'

/** A post with the comments on it, which are folded until asked for. */
export function PostCard({ post, context }: { post: Post; context: PostContext }) {
  const { linked } = context
  const linkedId = linked?.thread.comment && linked.thread.post.id === post.id ? linked.id : null
  const [isOpen, setOpen] = useOpenedBy(linkedId)
  // Folded again, it keeps what is being typed.
  const [wasOpened, setOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setOpened(true)
  const commentsId = useId()
  const { commentCount } = post
  return (
    <PostEntry
      post={post}
      context={context}
      action={
        <UnstyledButton
          className={classes.action}
          aria-expanded={isOpen}
          aria-controls={commentsId}
          onClick={() => setOpen(!isOpen)}
        >
          <IconMessage size={18} stroke={1.75} aria-hidden />
          {commentCount === 1 ? '1 comment' : `${commentCount} comments`}
        </UnstyledButton>
      }
    >
      <div id={commentsId} hidden={!isOpen} className={classes.comments}>
        {wasOpened && <PostComments post={post} context={context} />}
      </div>
    </PostEntry>
  )
}
