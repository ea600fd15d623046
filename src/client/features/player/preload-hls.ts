import { getQueryKey } from '@trpc/react-query'
import { queryClient, trpc } from '../../trpc.ts'
import { beginsWithFile } from './core/choose-source.ts'
import { rememberedPlayer } from './core/player-memory.ts'
import { loadHls, picksHlsLibrary } from './source/load-hls.ts'

/**
 * Fetches hls.js before a player asks for it: at once where the last choice or the connection make it
 * likely, else as soon as some video's answer says that there are renditions. Where the file will do,
 * nothing is fetched ahead: it would only delay the first picture.
 */
export function preloadHlsWhenNeeded(): void {
  if (!picksHlsLibrary()) return
  const load = () => void loadHls().catch(() => undefined)
  const { quality, bandwidth } = rememberedPlayer()
  if (quality !== 'auto' && location.pathname.startsWith('/video/')) {
    load()
    return
  }
  const queries = queryClient.getQueryCache()
  const look = () => {
    const videos = queryClient.getQueriesData<{ hlsUrl?: string | null }>({
      queryKey: getQueryKey(trpc.video.get),
    })
    if (!videos.some(([, video]) => video?.hlsUrl)) return
    unsubscribe()
    if (!beginsWithFile({ quality, bandwidth })) load()
  }
  const unsubscribe = queries.subscribe(({ type }) => type === 'updated' && look())
  look()
}
