import type { Playlist } from '#shared/library.schemas.ts'
import type { Video } from '#shared/video.schemas.ts'
import { notify } from '../../kit/notify.tsx'
import { serverSentence } from '../../lib/error-message.ts'
import { trpc } from '../../trpc.ts'

type PlaylistWithVideos = Playlist & { videos: Video[] }

/** Moves and removes videos of one's own playlist; the page shows it before the server has answered. */
export function usePlaylistChanges(playlist: PlaylistWithVideos) {
  const utils = trpc.useUtils()
  const { id: playlistId, kind } = playlist
  const show = (change: (videos: Video[]) => Video[]) => {
    const update = <Old extends PlaylistWithVideos | null>(old: Old | undefined) => {
      if (!old) return old
      const videos = change(old.videos)
      return {
        ...old,
        videos,
        videoCount: videos.length,
        thumbnailUrl: videos[0]?.thumbnailUrl ?? null,
      }
    }
    if (kind === 'watch-later') utils.playlist.watchLater.setData(undefined, update)
    else utils.playlist.get.setData({ id: playlistId }, update)
  }
  const outcome = {
    onSettled: () => utils.playlist.listOwn.invalidate(),
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
