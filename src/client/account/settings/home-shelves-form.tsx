import '#client/kit/styles/mantine-pages.css'
import { Stack, Switch } from '@mantine/core'
import {
  MEMBER_SHELVES,
  type MemberShelf,
  setShelfHidden,
  useHiddenShelves,
} from '#client/platform/hidden-shelves.ts'

const SHELVES = Object.keys(MEMBER_SHELVES) as MemberShelf[]

/** Which shelves the home page begins with on this device. */
export function HomeShelvesForm() {
  const hidden = useHiddenShelves()
  return (
    <Stack gap="sm">
      {SHELVES.map((shelf) => (
        <Switch
          key={shelf}
          label={MEMBER_SHELVES[shelf]}
          checked={!hidden.includes(shelf)}
          onChange={(event) => setShelfHidden(shelf, !event.currentTarget.checked)}
        />
      ))}
    </Stack>
  )
}
