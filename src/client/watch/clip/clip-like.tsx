import { Button } from '@mantine/core'
import { IconThumbUp, IconThumbUpFilled } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import { errorMessage } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { formatCount } from '#shared/text/format.ts'

type ClipLikeProps = { clip: Pick<Clip, 'id' | 'likeCount' | 'isLiked'>; isSignedIn: boolean }

/** Likes a clip, at once on the page and then on the server; visitors are led to log in. */
export function ClipLike({ clip, isSignedIn }: ClipLikeProps) {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const { id, likeCount, isLiked } = clip
  const show = (counts: { likeCount: number; isLiked: boolean }) =>
    utils.clip.byId.setData({ id }, (old) => old && { ...old, ...counts })
  const like = trpc.clip.like.useMutation({
    scope: { id: `like clip ${id}` },
    onMutate: async ({ isLiked: wanted }) => {
      await utils.clip.byId.cancel({ id })
      show({ likeCount: likeCount + (wanted ? 1 : -1), isLiked: wanted })
    },
    onSuccess: show,
    onError: (error) => {
      show({ likeCount, isLiked })
      const message = `Failed to save rating: ${errorMessage(error)}`
      notify({ tone: 'error', title: 'Error', message })
    },
  })
  const press = () => {
    if (isSignedIn) like.mutate({ id, isLiked: !isLiked })
    else void navigate({ to: '/auth' })
  }
  const Icon = isLiked ? IconThumbUpFilled : IconThumbUp
  return (
    <Button
      variant="default"
      radius="xl"
      aria-pressed={isSignedIn ? isLiked : undefined}
      aria-label={isSignedIn ? `Like, ${likeCount}` : `Sign in to like, ${likeCount}`}
      leftSection={<Icon size={20} stroke={1.75} aria-hidden />}
      onClick={press}
    >
      <RollingNumber value={likeCount}>{formatCount(likeCount)}</RollingNumber>
    </Button>
  )
}
