import { IconLayoutGrid, IconTable } from '@tabler/icons-react'
import { Choice } from '../../components/choice.tsx'
import { FilterBox } from '../../components/filter-box.tsx'
import { SORTS, STATES, type StudioAddress, toStudioAddress } from './studio-address.ts'
import classes from './studio-toolbar.module.css'

type StudioToolbarProps = {
  address: StudioAddress
  onChange: (address: StudioAddress) => void
}

/** Which of one's videos are shown, in which order, and how. */
export function StudioToolbar({ address, onChange }: StudioToolbarProps) {
  const { state = 'all', sort = 'newest', q = '', view } = address
  const change = (more: Record<string, unknown>) =>
    onChange(toStudioAddress({ ...address, ...more }))
  return (
    <div className={classes.bar}>
      <div className={classes.search}>
        <FilterBox label="Search your videos" q={q} onFilter={(text) => change({ q: text })} />
      </div>
      <Choice
        label="Show"
        options={STATES}
        value={state}
        onChange={(value) => change({ state: value })}
      />
      <Choice
        label="Sort by"
        options={SORTS}
        value={sort}
        onChange={(value) => change({ sort: value })}
      />
      <button
        type="button"
        className={classes.view}
        aria-pressed={view === 'table'}
        aria-label="Table"
        title={view === 'table' ? 'Show cards' : 'Show a table'}
        onClick={() => change({ view: view === 'table' ? undefined : 'table' })}
      >
        {view === 'table' ? <IconLayoutGrid size={20} /> : <IconTable size={20} />}
      </button>
    </div>
  )
}
