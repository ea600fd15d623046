import '#client/kit/styles/mantine-pages.css'
import { Switch } from '@mantine/core'
import {
  MEMBER_SHELVES,
  type MemberShelf,
  setShelfHidden,
  useHiddenShelves,
} from '#client/platform/hidden-shelves.ts'
import classes from './settings-form.module.css'

const SHELVES = Object.keys(MEMBER_SHELVES) as MemberShelf[]

/** Stored on this device. */
export default function HomeShelvesForm() {
  const hidden = useHiddenShelves()
  return (
    <div className={classes.form}>
      {SHELVES.map((shelf) => (
        <Switch
          key={shelf}
          label={MEMBER_SHELVES[shelf]}
          checked={!hidden.includes(shelf)}
          onChange={(event) => setShelfHidden(shelf, !event.currentTarget.checked)}
        />
      ))}
    </div>
  )
}
