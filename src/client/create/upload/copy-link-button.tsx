import { Button, type ButtonProps } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { copyLink, LINK_COPIED } from '#client/platform/video/share-link.ts'

type CopyLinkButtonProps = ButtonProps & { videoId: number; title: string }

/** Copies the link of a video whose upload may not have ended. */
export function CopyLinkButton({ videoId, title, ...props }: CopyLinkButtonProps) {
  return (
    <Button
      variant="default"
      leftSection={<IconLink size={18} stroke={1.75} aria-hidden />}
      aria-label={`Copy link of ${title}`}
      onClick={() => void copyLink(`/video/${videoId}`, LINK_COPIED)}
      {...props}
    >
      Copy link
    </Button>
  )
}
