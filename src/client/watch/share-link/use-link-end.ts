import { useEffect, useEffectEvent } from 'react'
import { errorStatus } from '#client/platform/error-message.ts'
import { trpcClient } from '#client/trpc.ts'
import { probeFile } from '../player/source/recovery.ts'

const PAUSE_MS = 500
/** In a hidden tab. */
const LONG_PAUSE_MS = 5000

type Watched = { token: string; grant: string | null; videoId: number; url: string | null }

/** Polls a file of the opened video to detect the end of the link. */
export function useLinkEnd(watched: Watched, onEnd: () => void): void {
  const { token, grant, videoId, url } = watched
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (url === null) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      timer = setTimeout(poll, document.hidden ? LONG_PAUSE_MS : PAUSE_MS)
    }
    async function poll() {
      const isGone = (await probeFile(url ?? '')) === 'gone'
      // The file may have been replaced by a better one.
      const hasEnded = isGone && (await linkHasEnded({ token, grant, videoId }))
      if (isOver) return
      if (hasEnded) end()
      else wait()
    }
    wait()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [token, grant, videoId, url])
}

async function linkHasEnded(asked: Omit<Watched, 'url'>): Promise<boolean> {
  try {
    await trpcClient.shareLink.video.query(asked)
    return false
  } catch (error) {
    const status = errorStatus(error)
    return status === 404 || status === 403
  }
}
