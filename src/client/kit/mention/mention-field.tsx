import '#client/kit/styles/mantine-pages.css'
import { Textarea, type TextareaProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type Ref, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'

const MentionList = lazyPart(() => import('./mention-list.tsx'))

/** An unfinished mention before the caret. */
const BEGUN = /(?<![\w@.-])@([A-Za-z0-9][A-Za-z0-9._-]{0,29})$/

type MentionFieldProps = Omit<TextareaProps, 'value' | 'onChange' | 'ref'> & {
  ref?: Ref<HTMLTextAreaElement>
  value: string
  onChange: (text: string) => void
}

/** Suggests members after `@` and a letter. */
export function MentionField({ ref, value, onChange, ...field }: MentionFieldProps) {
  const [begun, setBegun] = useState<string>()
  const [activeId, setActiveId] = useState<string>()
  const own = useRef<HTMLTextAreaElement>(null)
  const bothRefs = useMergedRef(own, ref)
  const readCaret = ({ value: text, selectionStart: caret, selectionEnd }: HTMLTextAreaElement) =>
    setBegun(caret === selectionEnd ? BEGUN.exec(text.slice(0, caret))?.[1] : undefined)
  const close = () => setBegun(undefined)
  const take = (username: string) => {
    const caret = own.current?.selectionStart ?? value.length
    const before = value.slice(0, caret).replace(BEGUN, `@${username} `)
    // Rendered before the caret is set, so that further typing follows the name.
    flushSync(() => {
      onChange(before + value.slice(caret).replace(/^ /, ''))
      close()
    })
    own.current?.setSelectionRange(before.length, before.length)
  }
  return (
    <>
      <Textarea
        {...field}
        ref={bothRefs}
        aria-autocomplete="list"
        aria-activedescendant={begun === undefined ? undefined : activeId}
        value={value}
        onChange={(event) => {
          onChange(event.currentTarget.value)
          readCaret(event.currentTarget)
        }}
        onSelect={(event) => readCaret(event.currentTarget)}
        onBlur={close}
      />
      {begun !== undefined && (
        <MentionList
          field={own}
          begun={begun}
          onActive={setActiveId}
          onTake={take}
          onClose={close}
        />
      )}
    </>
  )
}
