import { useSession } from '#client/account/auth/use-session.ts'
import { Invites } from '#client/desk/members/invites.tsx'
import { Members } from '#client/desk/members/members.tsx'
import { useAddress } from '#client/desk/use-address.ts'
import { SectionTabs } from '../../kit/control/section-tabs.tsx'

const TABS = [
  { id: 'members', label: 'Members' },
  { id: 'invites', label: 'Invites' },
] as const

export function MembersPage() {
  const user = useSession()
  const { search, change } = useAddress()
  const current = search.show === 'invites' ? 'invites' : 'members'
  if (!user) return null
  return (
    <SectionTabs
      label="Members"
      tabs={TABS}
      current={current}
      onChange={(id) => change({ show: id === 'invites' ? 'invites' : '', q: '' })}
    >
      {current === 'invites' ? (
        <Invites key="invites" />
      ) : (
        <Members key="members" viewerId={user.id} />
      )}
    </SectionTabs>
  )
}
