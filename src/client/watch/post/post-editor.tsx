import { Button } from '@mantine/core'
import { useState } from 'react'
import { errorSentence, serverSentence } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import { COMMENT_MAX, POST_MAX } from '#shared/limits.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import { PostField } from './post-field.tsx'
import classes from './posts.module.css'

/** Stands in the place of one's own post while it is changed. */
export function PostEditor({ post, onDone }: { post: Post; onDone: () => void }) {
  const utils = trpc.useUtils()
  const [content, setContent] = useState(post.content)
  const edit = trpc.post.edit.useMutation({
    onSuccess: async () => {
      await utils.post.invalidate()
      onDone()
    },
  })
  const noun = post.parentId === null ? 'post' : 'comment'
  const max = noun === 'post' ? POST_MAX : COMMENT_MAX
  const length = content.trim().length
  const isSendable = length > 0 && length <= max && !edit.isPending
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isSendable) edit.mutate({ id: post.id, content })
      }}
    >
      <PostField
        label={`Edit ${noun}`}
        value={content}
        max={max}
        noun={noun}
        onChange={setContent}
        problem={edit.error && (serverSentence(edit.error) || errorSentence(edit.error))}
        hasFocus
      />
      <div className={classes.formFoot}>
        <Button variant="subtle" size="sm" className={classes.submit} onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" size="sm" disabled={!isSendable}>
          {edit.isPending ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </form>
  )
}
