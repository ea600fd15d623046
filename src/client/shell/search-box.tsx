import { IconSearch } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { SEARCH_QUERY_MAX } from '#shared/limits.ts'
import classes from './search-box.module.css'

/** Goes to the results; with nothing but spaces it does nothing. */
export function SearchBox({ query, autoFocus }: { query: string; autoFocus: boolean }) {
  const router = useRouter()
  const search = (form: FormData) => {
    const text = String(form.get('q') ?? '').trim()
    if (text) void router.navigate({ href: `/search?q=${encodeURIComponent(text)}` })
  }
  return (
    <search className={classes.search}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          search(new FormData(event.currentTarget))
        }}
      >
        <input
          className={classes.input}
          type="search"
          name="q"
          defaultValue={query}
          placeholder="Search"
          aria-label="Search videos"
          maxLength={SEARCH_QUERY_MAX}
          autoComplete="off"
          enterKeyHint="search"
          ref={(input) => {
            if (autoFocus) input?.focus()
          }}
        />
        <button type="submit" className={classes.submit} aria-label="Search">
          <IconSearch size={20} stroke={1.75} aria-hidden />
        </button>
      </form>
    </search>
  )
}
