import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconCut } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { Video } from '#shared/schemas/video.schemas.ts'

const LinkIcon = createLink((props: ActionIconProps & ComponentProps<'a'>) => (
  <ActionIcon component="a" data-tooltip="Cut" {...props} />
))

type CutToolProps = {
  video: Pick<Video, 'id' | 'title' | 'processingState'>
  className: string | undefined
}

/** Only for a playable video. */
export function CutTool({ video, className }: CutToolProps) {
  if (video.processingState !== 'ready') return null
  return (
    <LinkIcon
      to="/studio/cut/$id"
      params={{ id: String(video.id) }}
      className={className}
      aria-label={`Cut ${video.title}`}
    >
      <IconCut size={20} stroke={1.75} aria-hidden />
    </LinkIcon>
  )
}
