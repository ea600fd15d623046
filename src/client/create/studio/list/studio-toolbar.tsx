import { UnstyledButton } from '@mantine/core'
import { IconLayoutGrid, IconTable } from '@tabler/icons-react'
import { InlineSelect } from '#client/kit/control/inline-select.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { FilterBox } from '#client/kit/list/filter-box.tsx'
import type { VideoSort, VideoState } from '#shared/schemas/video.schemas.ts'
import { VIDEO_STATE_WORDS } from '#shared/video-state.ts'
import { STUDIO_STATES, type StudioAddress, toStudioAddress } from './studio-address.ts'
import classes from './studio-toolbar.module.css'

const viewLook = look('centred', 'marginStartAuto', 'outlined', 'surface', 'square', 'muted')

const STATES: readonly { value: VideoState; label: string }[] = [
  { value: 'all', label: 'All videos' },
  ...STUDIO_STATES.map((value) => ({ value, label: VIDEO_STATE_WORDS[value] })),
]

const SORTS: readonly { value: VideoSort; label: string }[] = [
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
  { value: 'views', label: 'Most views' },
  { value: 'title', label: 'Title' },
]

type StudioToolbarProps = {
  address: StudioAddress
  onChange: (address: StudioAddress) => void
}

export function StudioToolbar({ address, onChange }: StudioToolbarProps) {
  const { state = 'all', sort = 'newest', q = '', view } = address
  const change = (more: Record<string, unknown>) =>
    onChange(toStudioAddress({ ...address, ...more }))
  return (
    <div className={`${row([8, 12], 'wrap', 'below16')} ${classes.bar}`}>
      <div className={classes.search}>
        <FilterBox label="Search your videos" q={q} onFilter={(text) => change({ q: text })} />
      </div>
      <InlineSelect
        label="Show"
        options={STATES}
        value={state}
        onChange={(value) => change({ state: value })}
      />
      <InlineSelect
        label="Sort by"
        options={SORTS}
        value={sort}
        onChange={(value) => change({ sort: value })}
      />
      <UnstyledButton
        className={`${classes.view} ${viewLook}`}
        aria-pressed={view === 'table'}
        aria-label="Table"
        title={view === 'table' ? 'Show cards' : 'Show a table'}
        onClick={() => change({ view: view === 'table' ? undefined : 'table' })}
      >
        {view === 'table' ? <IconLayoutGrid size={20} /> : <IconTable size={20} />}
      </UnstyledButton>
    </div>
  )
}
