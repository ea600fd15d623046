import { IconChevronDown } from '@tabler/icons-react'
import type { RefObject } from 'react'
import classes from './share-button.module.css'
import type { PlayerHandle } from './video-player.tsx'

export type ShareButtonProps = {
  title: string
  path: string
  player: RefObject<PlayerHandle | null>
  /** May manage share links. */
  hasLinks: boolean
  /** Whether the dialog offers to send the video to a squad. */
  canSend?: boolean
  /** From this second. */
  onEmbed: (seconds: number) => void
}

/** Same props before and after loading. */
export const SHARE_OPENER = {
  variant: 'default',
  radius: 'xl',
  className: classes.opener,
  'aria-label': 'More ways to share',
  children: <IconChevronDown size={18} aria-hidden />,
} as const
