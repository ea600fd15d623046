import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconTimelineEventPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { PickFile } from '#client/kit/control/pick-file.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { postForm } from '#client/platform/post-form.ts'
import { trpc } from '#client/trpc.ts'
import { MAX_TIMELINE_BYTES } from '#shared/limits.ts'
import type { AddedTimeline } from '#shared/schemas/moment.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'

/** Uploads Steam's timeline file. */
export function AddTimeline({ id }: { id: number }) {
  const utils = trpc.useUtils()
  const refresh = () => {
    void utils.moment.list.invalidate({ id })
    void utils.video.playback.invalidate({ id })
  }
  const remove = trpc.moment.removeTimeline.useMutation({
    onSuccess: refresh,
    onError: (error) => refuse('The markers are still there', errorSentence(error)),
  })
  const send = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData()
      form.set('timeline', file)
      return postForm<AddedTimeline>(`/api/videos/${id}/moments/timeline`, form)
    },
    onSuccess: ({ count }) => {
      const undo = () => {
        remove.mutate({ id })
        notifications.clean()
      }
      notify({
        title: `${count} ${count === 1 ? 'marker' : 'markers'} added`,
        message: 'They are moments of this video now.',
        action: (
          <Button variant="default" onClick={undo}>
            Remove them
          </Button>
        ),
      })
      refresh()
    },
    onError: (error) => refuse('The timeline was not added', errorSentence(error)),
  })
  const pick = (file: File) => {
    const problem = timelineProblem(file)
    if (problem) refuse('The timeline was not added', problem)
    else send.mutate(file)
  }
  return (
    <PickFile label="Timeline file" accept=".json,application/json" onPick={pick}>
      {(button) => (
        <Button
          {...button}
          variant="default"
          loading={send.isPending}
          leftSection={<IconTimelineEventPlus size={18} stroke={1.75} aria-hidden />}
        >
          Add a timeline
        </Button>
      )}
    </PickFile>
  )
}

function refuse(title: string, message: string): void {
  notify({ tone: 'error', title, message })
}

function timelineProblem({ name, size }: File): string | undefined {
  if (size === 0) return `“${name}” is empty. Choose another file.`
  if (size > MAX_TIMELINE_BYTES) {
    return `“${name}” has ${formatBytes(size)}; a timeline may have at most ${formatBytes(MAX_TIMELINE_BYTES)}.`
  }
}
