import { useNavigate } from '@tanstack/react-router'
import { buzz } from '#client/platform/buzz.ts'
import { errorMessage } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { trpc } from '#client/trpc.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'

type Liked = Pick<Clip, 'id' | 'likeCount' | 'isLiked'>

/** Optimistic; visitors go to the sign-in page. */
export function useLikeClip(clip: Liked, isSignedIn: boolean): () => void {
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const signIn = useSignInLink()
  const { id, likeCount, isLiked } = clip
  const show = (counts: { likeCount: number; isLiked: boolean }) => {
    utils.clip.byId.setData({ id }, (old) => old && { ...old, ...counts })
    utils.clip.newest.setInfiniteData(
      {},
      (old) =>
        old && {
          ...old,
          pages: old.pages.map((page) => ({
            ...page,
            items: page.items.map((one) => (one.id === id ? { ...one, ...counts } : one)),
          })),
        },
    )
  }
  const like = trpc.clip.like.useMutation({
    scope: { id: `like clip ${id}` },
    onMutate: async ({ isLiked: wanted }) => {
      await Promise.all([utils.clip.byId.cancel({ id }), utils.clip.newest.cancel()])
      show({ likeCount: likeCount + (wanted ? 1 : -1), isLiked: wanted })
    },
    onSuccess: show,
    onError: (error) => {
      show({ likeCount, isLiked })
      const message = `Failed to save rating: ${errorMessage(error)}`
      notify({ tone: 'error', title: 'Error', message })
    },
  })
  return () => {
    if (!isSignedIn) return void navigate(signIn)
    if (!isLiked) buzz()
    like.mutate({ id, isLiked: !isLiked })
  }
}
