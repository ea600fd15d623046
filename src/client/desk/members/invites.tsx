import { nextPage } from '#client/platform/next-page.ts'
import '../../kit/styles/mantine-pages.css'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { panel } from '#client/kit/panel/panel.tsx'
import type { CreatedInvite, Invite } from '#shared/schemas/desk/member.schemas.ts'
import { formatDate } from '#shared/text/format.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { PeopleDrawing } from '../../kit/drawings/people-drawing.tsx'
import { serverSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { AddressFilterBox } from '../address-filter-box.tsx'
import classes from '../admin.module.css'
import { ListFrame } from '../list-frame.tsx'
import { StateLabel } from '../moderation/subject.tsx'
import { LinkForOthers } from '../setup/link-for-others.tsx'
import { useAddress } from '../use-address.ts'
import { useDeskAction } from '../use-desk-action.ts'

const STATES = { open: 'Open', 'used-up': 'Used up', expired: 'Expired', revoked: 'Revoked' }
/** In the fragment, which browsers do not send. */
const pathOf = (code: string) => `/auth#invite=${code}`

export function Invites() {
  const { search } = useAddress()
  const invites = trpc.invite.list.useInfiniteQuery({ q: search.q }, nextPage)
  const [revoked, setRevoked] = useState<Invite>()
  const action = useDeskAction('invite')
  const revoke = trpc.invite.revoke.useMutation(action({ done: 'Invite revoked' }))
  return (
    <>
      <CreateInvite />
      <div className={`${classes.toolbar} ${row([8, 16], 'wrap', 'below16')}`}>
        <AddressFilterBox label="Filter by note or name" />
      </div>
      <ListFrame query={invites} empty={{ drawing: <PeopleDrawing />, title: 'No invites yet' }}>
        {(items) => (
          <div className={stack(16)}>
            {items.map((invite) => (
              <article
                key={invite.id}
                className={stack(12, 'framed', 'pad16')}
                aria-label={`Invite ${invite.id}`}
              >
                <p className={`${classes.row} ${row([8, 16], 'wrap')}`}>
                  <StateLabel state={invite.state === 'open' ? 'open' : 'used'}>
                    {STATES[invite.state]}
                  </StateLabel>
                  <strong>{invite.note || 'Without a note'}</strong>
                  <span className={look('muted')}>
                    {invite.uses} of {invite.usesMax} used ·{' '}
                    {invite.expiresAt
                      ? `Expires: ${formatDate(invite.expiresAt)}`
                      : 'Expires: never'}
                    {invite.createdByName && ` · by @${invite.createdByName}`}
                  </span>
                </p>
                {invite.state === 'open' && (
                  <div className={`${classes.row} ${row([8, 16], 'wrap')}`}>
                    <Button size="sm" variant="subtle" onClick={() => setRevoked(invite)}>
                      Revoke
                    </Button>
                  </div>
                )}
              </article>
            ))}
          </div>
        )}
      </ListFrame>
      {revoked && (
        <AskDialog
          title="Revoke this invite?"
          confirmLabel="Revoke"
          pendingLabel="Revoking..."
          isDanger
          onConfirm={() => revoke.mutateAsync({ id: revoked.id })}
          onClose={() => setRevoked(undefined)}
        >
          No one can register with this link any more. Those who did stay members.
        </AskDialog>
      )}
    </>
  )
}

function CreateInvite() {
  const utils = trpc.useUtils()
  const [uses, setUses] = useState('1')
  const [days, setDays] = useState('7')
  const [note, setNote] = useState('')
  const [created, setCreated] = useState<CreatedInvite>()
  const create = trpc.invite.create.useMutation({
    onSuccess: async (invite) => {
      setNote('')
      setCreated(invite)
      await utils.invite.invalidate()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ uses: Number(uses), days: days === '' ? null : Number(days), note })
  }
  return (
    <form className={panel} onSubmit={submit}>
      <h2 className={look('heading')}>Invite people</h2>
      <div className={classes.inviteFields}>
        <TextInput
          label="People"
          type="number"
          min={1}
          max={1000}
          required
          value={uses}
          onChange={(event) => setUses(event.currentTarget.value)}
        />
        <TextInput
          label="Valid for (days)"
          placeholder="Never expires"
          type="number"
          min={1}
          max={365}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <TextInput
          label="Private note"
          maxLength={100}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </div>
      <div className={`${classes.row} ${row([8, 16], 'wrap')}`}>
        <Button type="submit" disabled={create.isPending}>
          {create.isPending ? 'Creating...' : 'Create link'}
        </Button>
        {create.error && (
          <p className={look('errorColor')} role="alert">
            {serverSentence(create.error)}
          </p>
        )}
      </div>
      {created && (
        <div role="status">
          <p className={look('muted')}>
            Copy the link now: it is not shown again. You can revoke it below until it expires or is
            used up.
          </p>
          <LinkForOthers
            label="Invite link"
            path={pathOf(created.code)}
            message="Invite link copied to clipboard."
          />
        </div>
      )}
    </form>
  )
}
