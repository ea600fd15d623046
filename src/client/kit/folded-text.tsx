import { UnstyledButton } from '@mantine/core'
import { type ReactNode, useCallback, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import classes from './folded-text.module.css'

/** The folded text has one line fewer: the button takes that line. */
const LINES_MAX = 7
/** A text within these limits has at most `LINES_MAX` lines, even in the narrowest column. */
const SHORT = { characters: 150, lines: LINES_MAX }

type FoldedTextProps = {
  /** The text that `children` shows. */
  text: string
  className?: string | undefined
  /** Whether it is open until the user folds it. */
  isOpenAtFirst?: boolean
  children: ReactNode
}

/** A member's text. When it has more than seven lines, six are shown until the user opens it. */
export function FoldedText({ text, className, isOpenAtFirst = false, children }: FoldedTextProps) {
  const id = useId()
  const [isLong, setLong] = useState(false)
  const [chosen, setChosen] = useState<boolean>()
  const isOpen = chosen ?? isOpenAtFirst
  const isShort = text.length <= SHORT.characters && text.split('\n').length <= SHORT.lines
  // Measures before the first paint, and whenever the width changes.
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
        // The browser scrolls to a folded line when Tab reaches a link or a search finds a word there.
        onScroll={() => setChosen(true)}
      >
        {children}
      </p>
      {isLong && !isShort && (
        <UnstyledButton
          className={classes.more}
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

/** Scrolls so that folding the text above the button leaves the button where it was. */
function inPlace(button: HTMLElement, fold: () => void): void {
  const isFolding = button.getAttribute('aria-expanded') === 'true'
  const { top } = button.getBoundingClientRect()
  flushSync(fold)
  if (isFolding) scrollBy({ top: button.getBoundingClientRect().top - top, behavior: 'instant' })
}
