import { useRouter, useSearch } from '@tanstack/react-router'
import { getQueryKey } from '@trpc/react-query'
import { serverSentence } from '#client/platform/error-message.ts'
import { claimForMember, forgetMember } from '#client/platform/forget-member.ts'
import { notify } from '#client/platform/notify.tsx'
import { queryClient, trpc, trpcUtils } from '#client/trpc.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'

/** Clears the cache, which has answers for another member or a visitor. */
export async function startSession(user: OwnUser): Promise<void> {
  // An earlier answer for a visitor would overwrite the member.
  await trpcUtils.auth.currentUser.cancel()
  claimForMember(user.id)
  trpcUtils.auth.currentUser.setData(undefined, user)
  queryClient.removeQueries({ predicate: (query) => !isSession(query.queryKey) })
}

/** Navigates to the page that required sign-in, or home. */
export function useNextPage() {
  const router = useRouter()
  const { next } = useSearch({ from: '/bare/auth' })
  return async () => {
    if (next) router.history.replace(next)
    else await router.navigate({ to: '/' })
  }
}

/** Reloads the page as a visitor. */
export function useLogout() {
  const router = useRouter()
  return trpc.auth.logout.useMutation({
    async onSuccess() {
      forgetMember()
      void endPush()
      trpcUtils.auth.currentUser.setData(undefined, null)
      // Leaves a members' page first, so that its data is not refetched.
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

/** The server has already forgotten the subscription, with the session. */
async function endPush(): Promise<void> {
  const { unsubscribeHere } = await import('../settings/push-browser.ts')
  await unsubscribeHere()
}

const [sessionKey] = getQueryKey(trpc.auth.currentUser)
const isSession = (key: readonly unknown[]) => String(key[0]) === String(sessionKey)
