import { trpc } from '#client/trpc.ts'

/** After a change of a post: of a channel's list and a squad's. */
export function usePostRefresh(): () => Promise<unknown> {
  const utils = trpc.useUtils()
  return () => Promise.all([utils.post.invalidate(), utils.squad.posts.invalidate()])
}
