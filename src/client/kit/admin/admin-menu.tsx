import { RowMenu } from '../menu/row-menu.tsx'
import AdminItems, { type AdminSubject } from './admin-items.tsx'

type AdminMenuProps = {
  subject: AdminSubject
  viewerId: number
  label: string
  variant?: 'default' | 'subtle'
}

export default function AdminMenu({ subject, viewerId, ...buttonProps }: AdminMenuProps) {
  return (
    <RowMenu
      {...buttonProps}
      items={[]}
      renderMore={(onChoose) => <AdminItems {...{ subject, viewerId, onChoose }} isAlone />}
    />
  )
}
