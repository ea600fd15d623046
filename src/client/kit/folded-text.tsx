import { UnstyledButton } from '@mantine/core'
import { type ReactNode, useCallback, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import classes from './folded-text.module.css'
import { look } from './layout/layout.ts'

/** Folding leaves one line fewer, for the button. */
const LINES_MAX = 7
/** Fits into `LINES_MAX` lines even in the narrowest column. */
const SHORT = { characters: 150, lines: LINES_MAX }

type FoldedTextProps = {
  /** As in `children`. */
  text: string
  className?: string | undefined
  /** Until the user folds it. */
  isOpenAtFirst?: boolean
  children: ReactNode
}

/** Shows six lines of a text with more than seven. */
export function FoldedText({ text, className, isOpenAtFirst = false, children }: FoldedTextProps) {
  const id = useId()
  const [isLong, setLong] = useState(false)
  const [chosen, setChosen] = useState<boolean>()
  const isOpen = chosen ?? isOpenAtFirst
  const isShort = text.length <= SHORT.characters && text.split('\n').length <= SHORT.lines
  // Before the first paint, and on resize.
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const count = () => setLong(countLines(element) > LINES_MAX)
    count()
    const observer = new ResizeObserver(count)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <>
      <p
        id={id}
        ref={isShort ? undefined : measure}
        className={[classes.text, className].join(' ')}
        data-folded={(isLong && !isShort && !isOpen) || undefined}
        // Tab or a text search scrolls to a folded line.
        onScroll={() => setChosen(true)}
      >
        {children}
      </p>
      {isLong && !isShort && (
        <UnstyledButton
          className={`${classes.more} ${look('hoverUnderline')}`}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={(event) => inPlace(event.currentTarget, () => setChosen(!isOpen))}
        >
          {isOpen ? 'Show less' : 'Show more'}
        </UnstyledButton>
      )}
    </>
  )
}

function countLines(element: HTMLElement): number {
  return Math.round(element.scrollHeight / Number.parseFloat(getComputedStyle(element).lineHeight))
}

/** Keeps the button in place. */
function inPlace(button: HTMLElement, fold: () => void): void {
  const isFolding = button.getAttribute('aria-expanded') === 'true'
  const { top } = button.getBoundingClientRect()
  flushSync(fold)
  if (isFolding) scrollBy({ top: button.getBoundingClientRect().top - top, behavior: 'instant' })
}
