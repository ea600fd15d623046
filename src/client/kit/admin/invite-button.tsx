import { LinkButton } from '../control/link-button.tsx'

/** Opens the invites at the desk. */
export function InviteButton() {
  return (
    <LinkButton
      to="/admin/$section"
      params={{ section: 'members' }}
      search={{ show: 'invites' }}
      variant="default"
    >
      Invite members
    </LinkButton>
  )
}
