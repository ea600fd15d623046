import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { trpc } from '#client/trpc.ts'
import type { Suggestion } from '#shared/schemas/search.schemas.ts'

/** Debounce. */
const PAUSE_MS = 120
const NONE = -1

/** For `aria-activedescendant`. */
export const suggestionId = (listId: string, index: number) => `${listId}-${index}`

/** Combobox state. Opens on typing and arrow keys; nothing is selected at first. */
export function useSuggestions(text: string, onChoose: (suggestion: Suggestion) => void) {
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(NONE)
  const [q, setQuery] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // Keeps the previous options while loading.
  const { data } = trpc.search.suggest.useQuery(
    { q },
    { enabled: q !== '', placeholderData: (before) => before },
  )
  const suggestions = (text.trim() !== '' && q !== '' && data) || []
  const isShown = isOpen && suggestions.length > 0
  const chosen = isShown ? suggestions[active] : undefined

  const close = () => {
    clearTimeout(timer.current)
    setOpen(false)
    setActive(NONE)
  }
  const ask = (typed: string) => {
    clearTimeout(timer.current)
    setActive(NONE)
    setOpen(true)
    timer.current = setTimeout(() => setQuery(typed.trim()), PAUSE_MS)
  }
  const choose = (suggestion: Suggestion) => {
    close()
    onChoose(suggestion)
  }
  /** Cycles through the options and the typed text. */
  const move = (step: 1 | -1) => {
    const positions = suggestions.length + 1
    setActive((now) => ((now + 1 + step + positions) % positions) - 1)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    const { key, altKey } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (!isShown) ask(text)
      else if (key === 'ArrowUp' && altKey) close()
      else move(key === 'ArrowDown' ? 1 : -1)
    } else if (key === 'Escape' && isShown) {
      event.preventDefault()
      close()
    } else if (key === 'Enter' && chosen) {
      event.preventDefault()
      choose(chosen)
    }
  }

  return { suggestions, isShown, active, setActive, ask, close, choose, onKeyDown }
}
