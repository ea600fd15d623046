import '../styles/mantine-pages.css'
import { Drawer } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { useOpenDialog } from './dialog.tsx'
import classes from './sheet.module.css'
import { useVerticalSwipe } from './use-vertical-swipe.ts'

type SheetProps = {
  label: string
  /** Fills three quarters of the window. Otherwise the sheet is as tall as its content. */
  isTall?: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * Shows a modal sheet at the lower edge of the window while mounted. A swipe down on its grip,
 * Escape and a press outside close it.
 */
export function Sheet({ label, isTall, onClose, children }: SheetProps) {
  const content = useRef<HTMLDivElement>(null)
  const swipe = useVerticalSwipe({ moved: content, onDown: onClose })
  return (
    <Drawer.Root
      position="bottom"
      // A class on the content itself would also be set on its wrapper.
      classNames={{ content: classes.sheet }}
      onClose={onClose}
      {...useOpenDialog()}
    >
      <Drawer.Overlay />
      <Drawer.Content
        ref={content}
        aria-label={label}
        aria-labelledby={undefined}
        data-tall={isTall || undefined}
      >
        <div className={classes.head} data-tall={isTall || undefined} {...swipe}>
          <span className={classes.grip} />
          {isTall && (
            <Drawer.CloseButton
              className={classes.close}
              aria-label={`Close ${label.toLowerCase()}`}
              iconSize={22}
            />
          )}
        </div>
        <div className={classes.body}>{children}</div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
