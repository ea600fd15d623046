import { UnstyledButton } from '@mantine/core'
import { type ReactNode, useCallback, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import classes from './folded-text.module.css'

/** A text of one line more is shown whole: the button would take that line. */
const LINES_MAX = 7
/** Up to here a text has no more lines than that, in the narrowest column there is. */
const SHORT = { characters: 150, lines: LINES_MAX }

type FoldedTextProps = {
  /** What `children` draws. */
  text: string
  className?: string | undefined
  /** Until somebody folds it. */
  isOpenAtFirst?: boolean
  children: ReactNode
}

/** What a member wrote; of more than seven lines the first six, until asked for all. */
export function FoldedText({ text, className, isOpenAtFirst = false, children }: FoldedTextProps) {
  const id = useId()
  const [isLong, setLong] = useState(false)
  const [chosen, setChosen] = useState<boolean>()
  const isOpen = chosen ?? isOpenAtFirst
  const isShort = text.length <= SHORT.characters && text.split('\n').length <= SHORT.lines
  // Before the first paint, and whenever the width changes.
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
        // A link that is reached with Tab, or a word that the browser finds, in a folded line.
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

/** Folding what is above it leaves the button under the finger. */
function inPlace(button: HTMLElement, fold: () => void): void {
  const isFolding = button.getAttribute('aria-expanded') === 'true'
  const { top } = button.getBoundingClientRect()
  flushSync(fold)
  if (isFolding) scrollBy({ top: button.getBoundingClientRect().top - top, behavior: 'instant' })
}
