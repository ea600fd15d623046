import '../styles/mantine-pages.css'
import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { SEARCH_QUERY_MAX } from '#shared/limits.ts'

const PAUSE_MS = 300

type FilterBoxProps = {
  /** Such as 'Search watch history'. */
  label: string
  q: string
  onFilter: (q: string) => void
  /** Characters. */
  maxLength?: number
  disabled?: boolean
}

/** Debounced; follows the address. */
export function FilterBox(props: FilterBoxProps) {
  const { label, q, onFilter, maxLength = SEARCH_QUERY_MAX, disabled = false } = props
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(q)
  useEffect(() => {
    if (q === sent.current) return
    clearTimeout(timer.current)
    sent.current = q
    if (input.current) input.current.value = q
  }, [q])
  const send = () => {
    clearTimeout(timer.current)
    sent.current = input.current?.value.trim() ?? ''
    onFilter(sent.current)
  }
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <TextInput
          ref={input}
          leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
          type="search"
          defaultValue={q}
          placeholder={label}
          aria-label={label}
          maxLength={maxLength}
          autoComplete="off"
          disabled={disabled}
          onChange={() => {
            clearTimeout(timer.current)
            timer.current = setTimeout(send, PAUSE_MS)
          }}
        />
      </form>
    </search>
  )
}
