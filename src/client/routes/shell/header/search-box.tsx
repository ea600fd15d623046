import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type Ref, useId, useState } from 'react'
import { suggestionId, useSuggestions } from '#client/browse/search/use-suggestions.ts'
import { look } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { SEARCH_QUERY_MAX } from '#shared/limits.ts'
import type { Suggestion } from '#shared/schemas/search.schemas.ts'
import classes from './search-box.module.css'

const submitLook = look('centred', 'pill', 'control', 'muted', 'hoverText')

const SuggestionList = lazyPart(
  async () => ({
    default: (await import('#client/browse/search/suggestion-list.tsx')).SuggestionList,
  }),
  null,
  null,
)

type SearchBoxProps = {
  query: string
  autoFocus: boolean
  inputRef: Ref<HTMLInputElement>
  /** Escape without open suggestions. */
  onLeave: () => void
}

/** Opens results, or the suggestion's target; ignores blank input. Combobox pattern of the ARIA Authoring Practices Guide. */
export function SearchBox({ query, autoFocus, inputRef, onLeave }: SearchBoxProps) {
  const router = useRouter()
  const listId = useId()
  const [text, setText] = useState(query)
  const box = useSuggestions(text, (suggestion) => {
    setText(suggestion.kind === 'tag' ? suggestion.text : '')
    void router.navigate({ href: addressOf(suggestion) })
  })
  const search = () => {
    box.close()
    const words = text.trim()
    if (words) void router.navigate({ href: addressOfSearch(words) })
  }
  return (
    <search className={look('fill')}>
      <form
        className={look('relative')}
        action="/search"
        onSubmit={(event) => {
          event.preventDefault()
          search()
        }}
      >
        {/* Mantine's input would be loaded with each first page, and is not styled here. */}
        <input
          ref={inputRef}
          className={classes.input}
          type="search"
          name="q"
          role="combobox"
          aria-label="Search videos"
          aria-autocomplete="list"
          aria-expanded={box.isShown}
          aria-controls={box.isShown ? listId : undefined}
          aria-activedescendant={
            box.isShown && box.active >= 0 ? suggestionId(listId, box.active) : undefined
          }
          value={text}
          placeholder="Search"
          maxLength={SEARCH_QUERY_MAX}
          autoComplete="off"
          enterKeyHint="search"
          // biome-ignore lint/a11y/noAutofocus: on phones the box appears at the press of a button.
          autoFocus={autoFocus}
          onChange={(event) => {
            setText(event.target.value)
            box.ask(event.target.value)
          }}
          onKeyDown={(event) => {
            box.onKeyDown(event)
            if (event.key !== 'Escape' || box.isShown) return
            event.currentTarget.blur()
            onLeave()
          }}
          onBlur={box.close}
        />
        <UnstyledButton
          type="submit"
          className={`${classes.submit} ${submitLook}`}
          aria-label="Search"
        >
          <IconSearch size={20} stroke={1.75} aria-hidden />
        </UnstyledButton>
        {box.isShown && (
          <SuggestionList
            id={listId}
            suggestions={box.suggestions}
            active={box.active}
            onPoint={box.setActive}
            onChoose={box.choose}
          />
        )}
        <span className="visually-hidden" role="status">
          {box.isShown && `${box.suggestions.length} suggestions`}
        </span>
      </form>
    </search>
  )
}

function addressOf(suggestion: Suggestion): string {
  switch (suggestion.kind) {
    case 'game':
      return `/?category=${encodeURIComponent(suggestion.text)}`
    case 'tag':
      return addressOfSearch(suggestion.text)
    case 'channel':
      return `/profile/${suggestion.id}`
    case 'video':
      return `/video/${suggestion.id}`
  }
}

function addressOfSearch(words: string): string {
  return `/search?q=${encodeURIComponent(words)}`
}
