import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import classes from './share-dialog.module.css'

type ClipFileProps = { clip: Pick<Clip, 'shareUrl' | 'isFileComing'>; title: string }

/** The file of a clip, small enough for chats to play it in place. */
export function ClipFile({ clip, title }: ClipFileProps) {
  const { shareUrl, isFileComing } = clip
  if (!shareUrl) {
    if (!isFileComing) return null
    return (
      <p className={classes.hint}>A file for chats is being made. It will be here in a moment.</p>
    )
  }
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
