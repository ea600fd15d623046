import { UserAvatar } from '../user-avatar.tsx'
import classes from './faces.module.css'

type Face = { id: number; displayName: string; avatarUrl: string | null }

/** Five at most. Decorative: the names are beside them. */
export function Faces({ people, size = 28 }: { people: Face[]; size?: number }) {
  return (
    <span className={classes.faces} aria-hidden="true">
      {people.slice(0, 5).map(({ id, displayName, avatarUrl }) => (
        <UserAvatar key={id} name={displayName} src={avatarUrl} size={size} />
      ))}
    </span>
  )
}
