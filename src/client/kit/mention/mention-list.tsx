import '#client/kit/styles/mantine-pages.css'
import { Combobox, useCombobox } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { trpc } from '#client/trpc.ts'
import classes from './mention-list.module.css'

const OFFERED = 8

type MentionListProps = {
  /** Keeps the focus. */
  field: RefObject<HTMLTextAreaElement | null>
  begun: string
  /** The option that Enter chooses. */
  onActive: (id: string | undefined) => void
  onTake: (username: string) => void
  onClose: () => void
}

/** Below the field, whose arrow keys, Enter, Tab and Escape control it. */
export default function MentionList({ field, begun, onActive, onTake, onClose }: MentionListProps) {
  const combobox = useCombobox({ opened: true })
  const { data } = trpc.search.members.useQuery({ q: begun }, { placeholderData: keepPreviousData })
  const members = (data ?? []).slice(0, OFFERED)
  const isOpen = members.length > 0
  const names = members.map(({ username }) => username).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: selects the first whenever options change.
  useEffect(() => {
    // Selecting scrolls to the option, which has no place before the list is positioned.
    const frame = requestAnimationFrame(() => onActive(combobox.selectFirstOption() ?? undefined))
    return () => cancelAnimationFrame(frame)
  }, [names])

  const press = useRef<(event: KeyboardEvent) => void>(undefined)
  press.current = (event) => {
    if (!isOpen) return
    if (event.key === 'ArrowDown') onActive(combobox.selectNextOption() ?? undefined)
    else if (event.key === 'ArrowUp') onActive(combobox.selectPreviousOption() ?? undefined)
    else if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey))
      combobox.clickSelectedOption()
    else return
    event.preventDefault()
    // An open list takes these keys from the form.
    event.stopPropagation()
  }
  useEffect(() => {
    const { current } = field
    const listen = (event: KeyboardEvent) => press.current?.(event)
    current?.addEventListener('keydown', listen)
    return () => {
      current?.removeEventListener('keydown', listen)
      onActive(undefined)
    }
  }, [field, onActive])
  if (!isOpen) return null
  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={300}
      withinPortal={false}
      // Its anchor has no height, and would count as hidden.
      hideDetached={false}
      onOptionSubmit={onTake}
    >
      <Combobox.DropdownTarget>
        <span className={classes.anchor} />
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options aria-label="Members">
          {members.map(({ id, username, displayName, avatarUrl }) => (
            <Combobox.Option key={id} value={username} className={row(8, 'touch')}>
              <UserAvatar name={displayName} src={avatarUrl} size={28} />
              <span className={look('oneLine', 'strong')}>{displayName}</span>
              <span className={look('oneLine')}>@{username}</span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
