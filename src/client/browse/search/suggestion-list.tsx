import {
  IconDeviceGamepad2,
  IconHash,
  IconPlayerPlay,
  IconUserCircle,
  type TablerIcon,
} from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import type { Suggestion } from '#shared/schemas/search.schemas.ts'
import classes from './suggestion-list.module.css'
import { suggestionId } from './use-suggestions.ts'

const KINDS: Record<Suggestion['kind'], { icon: TablerIcon; label: string }> = {
  game: { icon: IconDeviceGamepad2, label: 'Game' },
  tag: { icon: IconHash, label: 'Tag' },
  channel: { icon: IconUserCircle, label: 'Channel' },
  video: { icon: IconPlayerPlay, label: 'Video' },
}

type SuggestionListProps = {
  id: string
  suggestions: Suggestion[]
  /** Active option, or -1. */
  active: number
  onPoint: (index: number) => void
  onChoose: (suggestion: Suggestion) => void
}

/** Listbox of a combobox: the input keeps the focus. */
export function SuggestionList(props: SuggestionListProps) {
  const { id, suggestions, active, onPoint, onChoose } = props
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div ref={list} id={id} role="listbox" aria-label="Suggestions" className={classes.list}>
      {suggestions.map((suggestion, index) => {
        const { icon: Icon, label } = KINDS[suggestion.kind]
        return (
          <div
            key={`${suggestion.kind} ${'id' in suggestion ? suggestion.id : suggestion.text}`}
            id={suggestionId(id, index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={classes.option}
            // Keeps the focus in the input.
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => onPoint(index)}
            onClick={() => onChoose(suggestion)}
            onKeyDown={() => {}}
          >
            <Icon size={18} stroke={1.75} aria-hidden />
            <span className={look('oneLine')}>{suggestion.text}</span>
            <span className={look('fine')}>{label}</span>
          </div>
        )
      })}
    </div>
  )
}
