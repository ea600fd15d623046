import { getQueryKey } from '@trpc/react-query'
import { queryClient, trpc } from '../../trpc.ts'
import { loadHls, picksHlsLibrary } from './source/load-hls.ts'

/**
 * Fetches hls.js as soon as some video's answer says that it will be needed: often its card is only
 * pointed at by then, and the player finds it there.
 */
export function preloadHlsWhenNeeded(): void {
  if (!picksHlsLibrary()) return
  const queries = queryClient.getQueryCache()
  const look = () => {
    const videos = queryClient.getQueriesData<{ hlsUrl?: string | null }>({
      queryKey: getQueryKey(trpc.video.get),
    })
    if (!videos.some(([, video]) => video?.hlsUrl)) return
    unsubscribe()
    void loadHls().catch(() => undefined)
  }
  const unsubscribe = queries.subscribe(({ type }) => type === 'updated' && look())
  look()
}
