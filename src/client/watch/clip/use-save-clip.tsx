import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconMovie } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { RowMenuItem } from '#client/kit/menu/row-menu-item.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'

/** Menu item for saving as a video; empty where not allowed. */
export function useSaveClip(clip: Clip, viewerId: number | undefined): RowMenuItem[] {
  const { id, title, video } = clip
  const utils = trpc.useUtils()
  const navigate = useNavigate()
  const save = trpc.cut.saveClip.useMutation({
    async onSuccess() {
      const open = () => {
        notifications.clean()
        void navigate({ to: '/studio' })
      }
      notify({
        title: 'Saving as a video',
        message: `“${title}” is made when nothing else is waiting.`,
        action: (
          <Button variant="default" size="sm" onClick={open}>
            Open the studio
          </Button>
        ),
      })
      await utils.video.invalidate()
    },
    onError: (error) =>
      notify({ tone: 'error', title: 'Failed to save the clip', message: errorSentence(error) }),
  })
  const isAllowed = viewerId !== undefined && (viewerId === video.userId || video.allowsClipVideos)
  if (!isAllowed) return []
  const onPress = () => {
    if (!save.isPending) save.mutate({ clipId: id })
  }
  return [{ label: 'Save as a video', Icon: IconMovie, onPress }]
}
