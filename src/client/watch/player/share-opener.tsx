import { IconChevronDown } from '@tabler/icons-react'
import type { RefObject } from 'react'
import classes from './share-button.module.css'
import type { PlayerHandle } from './video-player.tsx'

export type ShareButtonProps = {
  title: string
  path: string
  player: RefObject<PlayerHandle | null>
  /** Whether one may look after the links that open the video to whoever has them. */
  hasLinks: boolean
  /** Asks for the code to embed the video, from the second one is at. */
  onEmbed: (seconds: number) => void
}

/** Of the button that opens the menu, before and after it was fetched. */
export const SHARE_OPENER = {
  variant: 'default',
  radius: 'xl',
  className: classes.opener,
  'aria-label': 'More ways to share',
  children: <IconChevronDown size={18} aria-hidden />,
} as const
