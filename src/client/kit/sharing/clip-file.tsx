import { Button } from '@mantine/core'
import { IconDownload, IconFileExport } from '@tabler/icons-react'
import { row } from '#client/kit/layout/layout.ts'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'

type ClipFileProps = {
  clip: Pick<Clip, 'id' | 'shareUrl' | 'isFileComing'>
  title: string
  isSignedIn: boolean
}

/** Small enough for chats to play inline; members can request it. */
export function ClipFile({ clip, title, isSignedIn }: ClipFileProps) {
  const { shareUrl, isFileComing } = clip
  if (isFileComing) {
    return (
      <p className={row(8, 'control', 'muted', 'size13')} role="status">
        <IconFileExport size={20} stroke={1.75} aria-hidden />A file for chats is being made…
      </p>
    )
  }
  if (!shareUrl) return isSignedIn ? <MakeFile id={clip.id} /> : null
  return (
    <Button
      component="a"
      href={shareUrl}
      download={`${title}.mp4`}
      variant="default"
      leftSection={<IconDownload size={20} stroke={1.75} aria-hidden />}
    >
      Download the file for chats
    </Button>
  )
}

function MakeFile({ id }: { id: number }) {
  const utils = trpc.useUtils()
  const make = trpc.clip.makeFile.useMutation({
    onSuccess: () => utils.clip.byId.invalidate({ id }),
    onError: (error) =>
      notify({ tone: 'error', title: 'Failed to make the file', message: errorSentence(error) }),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconFileExport size={20} stroke={1.75} aria-hidden />}
      disabled={make.isPending}
      onClick={() => make.mutate({ id })}
    >
      {make.isPending ? 'Asking...' : 'Make a file for chats'}
    </Button>
  )
}
