import { useMediaQuery } from '@mantine/hooks'
import { type CSSProperties, type ReactNode, useRef } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { usePlayer, usePlayerState } from '../player-context.ts'
import { useOutsidePress } from './use-outside-press.ts'

const MenuSheet = lazyPart(() => import('./menu-sheet.tsx'))

type MenuPanelProps = {
  className: string | undefined
  style?: CSSProperties
  /** Also restores the focus. */
  onClose: () => void
  /** On a press elsewhere. */
  onLeave: () => void
  children: ReactNode
}

/** A panel over the picture; on phones a sheet, except in full screen. */
export function MenuPanel({ onClose, ...panel }: MenuPanelProps) {
  const { options } = usePlayer()
  const isFullScreen = usePlayerState((state) => state.isFullScreen)
  const isSmall = useMediaQuery('(max-width: 767.98px)', false, { getInitialValueInEffect: false })
  const isAlone = options.isEmbedded && !options.isInline
  if (!isSmall || isFullScreen || isAlone) return <OverPicture {...panel} />
  return <MenuSheet onClose={onClose}>{panel.children}</MenuSheet>
}

function OverPicture({ className, style, onLeave, children }: Omit<MenuPanelProps, 'onClose'>) {
  const panelRef = useRef<HTMLDivElement>(null)
  useOutsidePress(panelRef, onLeave)
  return (
    <div ref={panelRef} className={className} style={style}>
      {children}
    </div>
  )
}
