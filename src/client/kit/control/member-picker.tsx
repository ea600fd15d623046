import '../styles/mantine-pages.css'
import { Loader, Select } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { User } from '#shared/schemas/user.schemas.ts'
import { trpc } from '../../trpc.ts'

type MemberPickerProps = {
  label: string
  description?: string
  /** Ids to leave out. */
  without: readonly number[]
  onPick: (member: User) => void
}

export function MemberPicker({ label, description, without, onPick }: MemberPickerProps) {
  const [text, setText] = useState('')
  const q = text.trim().replace(/^@/, '')
  const search = trpc.search.members.useQuery(
    { q },
    { enabled: q !== '', placeholderData: keepPreviousData },
  )
  const members = q === '' ? [] : (search.data ?? []).filter(({ id }) => !without.includes(id))
  const pick = (id: string | null) => {
    const member = members.find((one) => String(one.id) === id)
    if (!member) return
    setText('')
    onPick(member)
  }
  return (
    <Select
      label={label}
      description={description}
      placeholder="Find by name"
      searchable
      searchValue={text}
      onSearchChange={setText}
      data={members.map(({ id, displayName, username }) => ({
        value: String(id),
        label: `${displayName} (@${username})`,
      }))}
      // The server has filtered already.
      filter={({ options }) => options}
      value={null}
      onChange={pick}
      rightSection={search.isFetching ? <Loader size={16} /> : <span />}
      nothingFoundMessage={q === '' || search.isFetching ? undefined : sentence(search.isError)}
    />
  )
}

function sentence(isError: boolean): string {
  return isError ? 'The search could not be done.' : 'Nobody found'
}
