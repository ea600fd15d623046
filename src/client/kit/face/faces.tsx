import type { Face } from '#shared/schemas/user.schemas.ts'
import { UserAvatar } from '../user-avatar.tsx'
import classes from './faces.module.css'

/**
 * Shows at most five faces. They are hidden from screen readers because the names are beside them.
 */
export function Faces({ people, size = 28 }: { people: Face[]; size?: number }) {
  return (
    <span className={classes.faces} aria-hidden="true">
      {people.slice(0, 5).map(({ id, displayName, avatarUrl }) => (
        <UserAvatar key={id} name={displayName} src={avatarUrl} size={size} />
      ))}
    </span>
  )
}
