import type { NotificationGroup } from '#shared/group-notifications.ts'
import { NotificationRow } from './notification-row.tsx'

export function NotificationList({ groups }: { groups: NotificationGroup[] }) {
  return (
    <ul>
      {groups.map((group) => (
        <NotificationRow key={group.latest.group?.key ?? group.latest.id} group={group} />
      ))}
    </ul>
  )
}
