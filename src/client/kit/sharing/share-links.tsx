import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { CopyField } from '#client/kit/control/copy-field.tsx'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { look } from '#client/kit/layout/layout.ts'
import { EntryRow } from '#client/kit/list/entry-row.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { errorSentence, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { ShareLink } from '#shared/schemas/share-link.schemas.ts'
import { formatDate } from '#shared/text/format.ts'
import { ShareLinkForm } from './share-link-form.tsx'
import classes from './share-links.module.css'

const STATES: Record<ShareLink['state'], string> = {
  live: 'Valid',
  expired: 'Expired',
  'used-up': 'Used up',
  revoked: 'Revoked',
}

type ShareLinksProps = {
  videoId: number
  /** Admins only manage others' links, and cannot create any. */
  isOwn: boolean
}

export function ShareLinks({ videoId, isOwn }: ShareLinksProps) {
  const links = trpc.shareLink.list.useQuery({ videoId }, { staleTime: 0 })
  const [revoked, setRevoked] = useState<ShareLink | 'all'>()
  const hasLive = links.data?.some(({ state }) => state === 'live') ?? false
  return (
    <section className={classes.root} aria-label="Share links">
      <h3 className={look('smallHeading')}>Share links</h3>
      <p className={look('note')}>
        Anyone with a share link can watch without an account, whatever the video's visibility.
      </p>
      {isOwn && <NewShareLink videoId={videoId} />}
      {links.isPending && <TextSkeleton width="240px" />}
      {links.isError && !links.data && (
        <LoadError error={links.error} onRetry={() => void links.refetch()} />
      )}
      {links.data && links.data.length > 0 && (
        <ul>
          {links.data.map((link) => (
            <LinkRow key={link.id} link={link} onRevoke={() => setRevoked(link)} />
          ))}
        </ul>
      )}
      {hasLive && (
        <div>
          <Button variant="outline" color="pulse" onClick={() => setRevoked('all')}>
            Revoke all links
          </Button>
        </div>
      )}
      {revoked !== undefined && (
        <RevokeLinks link={revoked} videoId={videoId} onClose={() => setRevoked(undefined)} />
      )}
    </section>
  )
}

function NewShareLink({ videoId }: { videoId: number }) {
  const utils = trpc.useUtils()
  const [isOpen, setOpen] = useState(false)
  const create = trpc.shareLink.create.useMutation({
    onSuccess: async () => {
      setOpen(false)
      await utils.shareLink.list.invalidate({ videoId })
    },
  })
  return (
    <>
      {create.data && !isOpen && (
        <div>
          <CopyField
            label="New share link"
            text={create.data.url}
            message="Share link copied to clipboard."
          />
          <p className={look('note')}>Copy it now: it is not shown again.</p>
        </div>
      )}
      {isOpen ? (
        <ShareLinkForm
          isPending={create.isPending}
          problem={create.error ? serverSentence(create.error) : undefined}
          onSubmit={(link) => create.mutate({ videoId, ...link })}
        />
      ) : (
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            New share link
          </Button>
        </div>
      )}
    </>
  )
}

const nameOf = ({ note, createdAt }: ShareLink) => note || `Link of ${formatDate(createdAt)}`

function LinkRow({ link, onRevoke }: { link: ShareLink; onRevoke: () => void }) {
  const { state, views, maxViews, hasPassword, expiresAt, lastUsedAt } = link
  const opened = views === 1 ? 'opened once' : `opened ${views} times`
  return (
    <EntryRow
      name={nameOf(link)}
      tag={STATES[state]}
      tone={state === 'live' ? undefined : 'wrong'}
      facts={
        <>
          {opened}
          {maxViews !== null && ` of ${maxViews}`}
          {lastUsedAt && (
            <>
              , last <TimeAgo time={lastUsedAt} />
            </>
          )}
          {hasPassword && ' · with a password'}
          {expiresAt ? ` · until ${formatDate(expiresAt)}` : ' · without an end'}
        </>
      }
      action={
        state === 'live' && (
          <Button
            variant="outline"
            color="pulse"
            aria-label={`Revoke ${nameOf(link)}`}
            onClick={onRevoke}
          >
            Revoke
          </Button>
        )
      }
    />
  )
}

type RevokeLinksProps = { link: ShareLink | 'all'; videoId: number; onClose: () => void }

function RevokeLinks({ link, videoId, onClose }: RevokeLinksProps) {
  const utils = trpc.useUtils()
  const isAll = link === 'all'
  const done = {
    onSuccess: () => notify({ title: isAll ? 'Share links revoked' : 'Share link revoked' }),
    onError: (error: unknown) => {
      const message = errorSentence(error)
      notify({ tone: 'error', title: 'The link could not be revoked', message })
    },
    onSettled: async () => {
      onClose()
      await utils.shareLink.list.invalidate({ videoId })
    },
  }
  const one = trpc.shareLink.revoke.useMutation(done)
  const all = trpc.shareLink.revokeAll.useMutation(done)
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={() => (isAll ? all.mutate({ videoId }) : one.mutate({ id: link.id }))}
      title={isAll ? 'Revoke all share links' : 'Revoke this share link'}
      confirmLabel={isAll ? 'Revoke all' : 'Revoke'}
      pendingLabel="Revoking..."
      isPending={one.isPending || all.isPending}
    >
      <p>
        {isAll ? 'They stop' : `"${nameOf(link)}" stops`} working at once, also for those who are
        watching. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
