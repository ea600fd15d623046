import { trpc } from '#client/trpc.ts'

/** Returns a function that reloads the posts of channels and squads after one has changed. */
export function usePostRefresh(): () => Promise<unknown> {
  const utils = trpc.useUtils()
  return () => Promise.all([utils.post.invalidate(), utils.squad.posts.invalidate()])
}
