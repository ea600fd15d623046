import { useEffect, useRef, useState } from 'react'
import classes from './admin.module.css'
import { useAddress } from './use-address.ts'

const PAUSE_MS = 250

/** Narrows the list of the page; the address holds what is looked for. */
export function FilterBox({ label }: { label: string }) {
  const { search, change } = useAddress()
  const [text, setText] = useState(search.q ?? '')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <input
      type="search"
      className={classes.filter}
      aria-label={label}
      placeholder={label}
      maxLength={100}
      value={text}
      onChange={(event) => {
        const q = event.currentTarget.value
        setText(q)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => change({ q: q.trim() }), PAUSE_MS)
      }}
    />
  )
}
