import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import classes from './comments-beside.module.css'

type CommentsBesideProps = { title: string; onClose: () => void; children: ReactNode }

/** Takes the focus when it opens. Escape closes it unless something is written in a field. */
export function CommentsBeside({ title, onClose, children }: CommentsBesideProps) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <aside
      ref={panel}
      className={classes.panel}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys.
      tabIndex={0}
      aria-label={`Comments on ${title}`}
      data-own-keys
      onKeyDown={({ key, target, defaultPrevented }) => {
        const isEmptyField = target instanceof HTMLTextAreaElement && target.value === ''
        if (key === 'Escape' && isEmptyField && !defaultPrevented) onClose()
      }}
    >
      <IconButton className={classes.close} aria-label="Close comments" onClick={onClose}>
        <IconX size={20} stroke={1.75} aria-hidden />
      </IconButton>
      {children}
    </aside>
  )
}
