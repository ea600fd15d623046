import { column, look, wrapped } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { errorSentence, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { MAX_PAGE_SIZE, POST_MAX } from '#shared/limits.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { PostField } from './post-field.tsx'
import classes from './posts.module.css'

type PostFormProps = {
  viewer: OwnUser
  /** Only members of this squad see the post. */
  squad?: { id: number; name: string }
}

/** May show one of the owner's videos. */
export function PostForm({ viewer, squad }: PostFormProps) {
  const utils = trpc.useUtils()
  const [content, setContent] = useState('')
  const [videoId, setVideoId] = useState<string | null>(null)
  const videos = trpc.video.listByUser.useQuery({ id: viewer.id, limit: MAX_PAGE_SIZE })
  // A post names its author, so it cannot show an anonymous video.
  const choices = (videos.data?.items ?? []).filter(({ isAnonymous }) => !isAnonymous)
  const create = trpc.post.create.useMutation({
    onSuccess: async ({ withheld }) => {
      setContent('')
      setVideoId(null)
      notify({
        title: 'Posted',
        message: withheld
          ? 'Others will see it once an admin has reviewed it.'
          : squad
            ? `Only ${squad.name} sees it.`
            : 'Your subscribers are notified.',
      })
      await Promise.all([
        utils.post.list.invalidate({ id: viewer.id }),
        squad && utils.squad.posts.invalidate({ id: squad.id }),
      ])
    },
  })
  const length = content.trim().length
  const problem = create.error && (serverSentence(create.error) || errorSentence(create.error))
  return (
    <form
      className={column(8)}
      onSubmit={(event) => {
        event.preventDefault()
        if (length === 0 || length > POST_MAX || create.isPending) return
        create.mutate({
          ...{ content, videoId: videoId === null ? null : Number(videoId) },
          squadId: squad?.id ?? null,
        })
      }}
    >
      <PostField
        label="Write a post"
        placeholder={squad ? `Write to ${squad.name}` : 'Tell your subscribers what is new'}
        value={content}
        onChange={(text) => {
          create.reset()
          setContent(text)
        }}
        problem={problem}
      />
      <div className={wrapped(8)}>
        {choices.length > 0 && (
          <Select
            className={classes.choice}
            aria-label="Show one of your videos"
            placeholder="Show one of your videos"
            clearable
            allowDeselect
            searchable
            checkIconPosition="left"
            data={choices.map(({ id, title }) => ({ value: String(id), label: title }))}
            value={videoId}
            onChange={setVideoId}
          />
        )}
        <Button
          type="submit"
          className={look('marginStartAuto')}
          disabled={length === 0 || length > POST_MAX || create.isPending}
        >
          {create.isPending ? 'Posting...' : 'Post'}
        </Button>
      </div>
    </form>
  )
}
