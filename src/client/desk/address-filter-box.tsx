import { FILTER_MAX } from '#shared/admin-limits.ts'
import { FilterBox } from '../kit/list/filter-box.tsx'
import classes from './admin.module.css'
import { useAddress } from './use-address.ts'

/** Writes the `q` of the address. */
export function AddressFilterBox({ label }: { label: string }) {
  const { search, change } = useAddress()
  return (
    <div className={classes.filterBox}>
      <FilterBox
        label={label}
        q={search.q ?? ''}
        maxLength={FILTER_MAX}
        onFilter={(q) => change({ q })}
      />
    </div>
  )
}
