import { look } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { BAN_REVERSIBLE_DAYS } from '#shared/admin-limits.ts'
import type { BanConsequences } from '#shared/schemas/desk/moderation.schemas.ts'
import { AskDialog, REASON_LABEL } from '../../kit/dialog/ask-dialog.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import styles from './moderation.module.css'
import type { AdminActions } from './use-admin-actions.ts'

type BanDialogProps = {
  id: number
  name: string
  actions: AdminActions
  presets: readonly string[]
  onClose: () => void
}

/** Shows the consequences first. */
export function BanDialog({ id, name, actions, presets, onClose }: BanDialogProps) {
  const [deletesContent, setDeletes] = useState(false)
  const query = trpc.moderation.banConsequences.useQuery({ userId: id })
  const { data: consequences } = query
  return (
    <AskDialog
      title={`Ban ${name}?`}
      confirmLabel="Ban"
      pendingLabel="Banning..."
      isDanger
      isHeld={!consequences}
      reasonLabel={REASON_LABEL}
      presets={presets}
      onConfirm={(reason) => actions.ban({ userId: id, reason, deletesContent })}
      onClose={onClose}
    >
      <p>
        They are logged out everywhere and cannot sign in, and nobody but admins sees their channel.
        You can lift the ban at any time.
      </p>
      {!consequences && !query.isError && <p role="status">Checking what they have here.</p>}
      {!consequences && query.isError && (
        <div role="alert">
          <p>The effects of the ban could not be loaded: {errorSentence(query.error)}</p>
          <Button variant="default" size="sm" onClick={() => void query.refetch()}>
            Try again
          </Button>
        </div>
      )}
      {consequences && (
        <ul className={styles.consequences}>
          {listConsequences(consequences).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <Checkbox
        className={`${styles.choice} ${look('above12', 'textColor')}`}
        label={`Delete their account and everything they made after ${BAN_REVERSIBLE_DAYS} days`}
        description="Otherwise everything stays hidden for as long as the ban lasts."
        checked={deletesContent}
        onChange={(event) => setDeletes(event.currentTarget.checked)}
      />
    </AskDialog>
  )
}

function listConsequences(counts: BanConsequences): string[] {
  const { videos, comments, posts, sessions, apiTokens, uploads } = counts
  const lines: [number, string, string][] = [
    [videos, '1 video is hidden', `${videos} videos are hidden`],
    [comments, '1 comment is hidden', `${comments} comments are hidden`],
    [posts, '1 post is hidden', `${posts} posts are hidden`],
    [sessions, '1 device is logged out', `${sessions} devices are logged out`],
    [apiTokens, '1 API token stops working', `${apiTokens} API tokens stop working`],
    [uploads, '1 unfinished upload is lost', `${uploads} unfinished uploads are lost`],
  ]
  return lines
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => (count === 1 ? one : many))
}
