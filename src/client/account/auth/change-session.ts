import { useRouter, useSearch } from '@tanstack/react-router'
import { getQueryKey } from '@trpc/react-query'
import { serverSentence } from '#client/platform/error-message.ts'
import { claimForMember, forgetMember } from '#client/platform/forget-member.ts'
import { notify } from '#client/platform/notify.tsx'
import { queryClient, trpc, trpcUtils } from '#client/trpc.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'

/** Takes over a user who has just signed in; nothing that was read as another member stays cached. */
export async function startSession(user: OwnUser): Promise<void> {
  // What was asked as a visitor would overwrite the member when its answer comes.
  await trpcUtils.auth.currentUser.cancel()
  claimForMember(user.id)
  trpcUtils.auth.currentUser.setData(undefined, user)
  queryClient.removeQueries({ predicate: (query) => !isSession(query.queryKey) })
}

/** Shows the page that led to the sign-in page, or the home page. */
export function useNextPage() {
  const router = useRouter()
  const { next } = useSearch({ from: '/bare/auth' })
  return async () => {
    if (next) router.history.replace(next)
    else await router.navigate({ to: '/' })
  }
}

/** Signs out and shows the page again as a visitor sees it. */
export function useLogout() {
  const router = useRouter()
  return trpc.auth.logout.useMutation({
    async onSuccess() {
      forgetMember()
      trpcUtils.auth.currentUser.setData(undefined, null)
      // Leaves a page for members first, so that nothing of theirs is asked for again.
      await router.invalidate()
      await queryClient.resetQueries({ predicate: (query) => !isSession(query.queryKey) })
      notify({ title: 'Logged out' })
    },
    onError(error) {
      notify({
        tone: 'error',
        title: 'Logout failed',
        message: serverSentence(error) || 'Could not log you out. Please try again.',
      })
    },
  })
}

const [sessionKey] = getQueryKey(trpc.auth.currentUser)
const isSession = (key: readonly unknown[]) => String(key[0]) === String(sessionKey)
