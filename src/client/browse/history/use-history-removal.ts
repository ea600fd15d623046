import { useState } from 'react'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { HistoryItem } from '#shared/schemas/library.schemas.ts'

/** A removed item keeps its place for undo until the list reloads. */
export function useHistoryRemoval() {
  const utils = trpc.useUtils()
  const [removedIds, setRemovedIds] = useState<ReadonlySet<number>>(new Set())
  const show = (videoId: number, isRemoved: boolean) =>
    setRemovedIds((old) => {
      const ids = new Set(old)
      if (isRemoved) ids.add(videoId)
      else ids.delete(videoId)
      return ids
    })
  const failed = (title: string) => (error: unknown) =>
    notify({ tone: 'error', title, message: serverSentence(error) })
  // The shown list stays; later pages refetch.
  const onSettled = () =>
    Promise.all([
      utils.history.list.invalidate(undefined, { refetchType: 'none' }),
      utils.history.positions.invalidate(),
    ])
  const scope = { id: 'history' }
  const remove = trpc.history.remove.useMutation({
    scope,
    onError: (error, { videoId }) => {
      show(Number(videoId), false)
      failed('The video could not be removed')(error)
    },
    onSettled,
  })
  const restore = trpc.history.restore.useMutation({
    scope,
    onError: (error, { videoId }) => {
      show(Number(videoId), true)
      failed('The video could not be brought back')(error)
    },
    onSettled,
  })
  return {
    removedIds,
    remove({ video }: HistoryItem): void {
      show(video.id, true)
      remove.mutate({ videoId: video.id })
    },
    restore({ video, positionSeconds, watchedAt }: HistoryItem): void {
      show(video.id, false)
      restore.mutate({ videoId: video.id, positionSeconds, watchedAt })
    },
  }
}
