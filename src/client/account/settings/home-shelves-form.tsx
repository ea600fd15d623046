import { Stack, Switch } from '@mantine/core'
import {
  MEMBER_SHELVES,
  type MemberShelf,
  useHiddenShelves,
} from '#client/platform/hidden-shelves.ts'

const SHELVES = Object.keys(MEMBER_SHELVES) as MemberShelf[]

/** Which shelves the home page begins with on this device. */
export function HomeShelvesForm() {
  const { isHidden, setShelfHidden } = useHiddenShelves()
  return (
    <Stack gap="sm">
      {SHELVES.map((shelf) => (
        <Switch
          key={shelf}
          label={MEMBER_SHELVES[shelf]}
          checked={!isHidden(shelf)}
          onChange={(event) => setShelfHidden(shelf, !event.currentTarget.checked)}
        />
      ))}
    </Stack>
  )
}
