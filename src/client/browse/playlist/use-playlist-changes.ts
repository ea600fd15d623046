import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { PlaylistWithVideos } from '#shared/schemas/library.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

type Pages = { pages: PlaylistWithVideos[]; pageParams: (string | null)[] }

/** Optimistic. */
export function usePlaylistChanges(playlist: PlaylistWithVideos) {
  const utils = trpc.useUtils()
  const { id: playlistId, kind, nextCursor } = playlist
  const show = (change: (videos: Video[]) => Video[]) => {
    if (kind === 'watch-later') {
      utils.playlist.watchLater.setInfiniteData(
        {},
        (old) => old && changePages(old as Pages, change),
      )
    } else {
      utils.playlist.get.setInfiniteData(
        { id: playlistId },
        (old) => old && changePages(old, change),
      )
    }
  }
  const outcome = {
    onSettled: async () => {
      await utils.playlist.listOwn.invalidate()
      // The next page starts after the last shown video, which may have changed.
      if (nextCursor !== null) await utils.playlist.invalidate()
    },
    onError: async (error: unknown) => {
      notify({
        tone: 'error',
        title: 'The playlist could not be changed',
        message: serverSentence(error),
      })
      await utils.playlist.invalidate()
    },
  }
  const move = trpc.playlist.moveVideo.useMutation(outcome)
  const remove = trpc.playlist.removeVideo.useMutation({
    ...outcome,
    onSuccess: () => notify({ title: `Removed from ${playlist.title}` }),
  })
  return {
    move(videoId: number, toIndex: number): void {
      show((videos) => {
        const order = videos.filter((video) => video.id !== videoId)
        order.splice(toIndex, 0, ...videos.filter((video) => video.id === videoId))
        return order
      })
      move.mutate({ playlistId, videoId, toIndex })
    },
    remove(videoId: number): void {
      show((videos) => videos.filter((video) => video.id !== videoId))
      remove.mutate({ playlistId, videoId })
    },
  }
}

/** Keeps page lengths. */
function changePages({ pages, pageParams }: Pages, change: (videos: Video[]) => Video[]): Pages {
  const before = pages.flatMap(({ videos }) => videos)
  const videos = change(before)
  const removed = before.length - videos.length
  const thumbnailUrl = videos[0]?.thumbnailUrl ?? null
  const changed = pages.map((page, index) => ({
    ...page,
    videos: index === pages.length - 1 ? videos.splice(0) : videos.splice(0, page.videos.length),
    videoCount: page.videoCount - removed,
    thumbnailUrl,
  }))
  return { pages: changed, pageParams }
}
