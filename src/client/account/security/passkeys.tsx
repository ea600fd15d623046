import '#client/kit/styles/mantine-pages.css'
import { Button, Switch } from '@mantine/core'
import { IconFingerprint, IconPencil, IconPlus, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { EntryRow } from '#client/kit/list/entry-row.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { RowMenu } from '#client/kit/menu/row-menu.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { deviceStorage } from '#client/platform/browser-storage.ts'
import { notifyDone, notifyFailure } from '#client/platform/notify-outcome.ts'
import { passkeysWork } from '#client/platform/passkey-place.ts'
import { trpc } from '#client/trpc.ts'
import type { Factors, Passkey } from '#shared/schemas/second-factor.schemas.ts'
import { CodesDialog } from './codes-dialog.tsx'
import classes from './security.module.css'

const AddPasskey = lazyPart(() => import('./add-passkey.tsx'))
const RenamePasskey = lazyPart(() => import('./rename-passkey.tsx'))

type PasskeysProps = {
  factors: Factors
  username: string
  /** Whether this device can store passkeys. */
  hasOwnAuthenticator: boolean
}
type Open = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey }

export function Passkeys({ factors, username, hasOwnAuthenticator }: PasskeysProps) {
  const { passkeys, passkeyHost } = factors
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const canAdd = passkeyHost === location.hostname && passkeysWork()
  return (
    <div className={classes.part}>
      {canAdd && passkeys.length === 0 && hasOwnAuthenticator && <Offer />}
      {passkeys.length === 0 && (
        <p className={look('muted')}>
          A passkey signs you in with your fingerprint, face or the PIN of your device, without a
          password. It works on this site only, so nobody can trick you into giving it away.
        </p>
      )}
      {passkeys.length > 0 && (
        <ul>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onOpen={setOpen} />
          ))}
        </ul>
      )}
      {canAdd ? (
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => setOpen({ kind: 'add' })}
        >
          Add a passkey
        </Button>
      ) : (
        <p className={look('note')}>{whyNot(passkeyHost)}</p>
      )}
      {passkeys.length > 0 && <AfterPassword factors={factors} username={username} />}
      {open?.kind === 'add' && <AddPasskey onClose={close} />}
      {open?.kind === 'rename' && <RenamePasskey passkey={open.passkey} onClose={close} />}
      {open?.kind === 'remove' && <RemovePasskey passkey={open.passkey} onClose={close} />}
    </div>
  )
}

function whyNot(passkeyHost: string | null): string {
  if (passkeyHost === null) return 'Passkeys need https and a name instead of an IP address.'
  if (passkeyHost !== location.hostname) return `Passkeys of this site work at ${passkeyHost} only.`
  return 'Passkeys need https.'
}

type RowProps = { passkey: Passkey; onOpen: (open: Open) => void }

function PasskeyRow({ passkey, onOpen }: RowProps) {
  const { name, isBackedUp, createdAt, lastUsedAt } = passkey
  return (
    <EntryRow
      icon={IconFingerprint}
      name={name}
      tag={isBackedUp && 'Synced'}
      facts={
        <>
          Added <TimeAgo time={createdAt} /> ·{' '}
          {lastUsedAt ? (
            <>
              last used <TimeAgo time={lastUsedAt} />
            </>
          ) : (
            'never used'
          )}
        </>
      }
      action={
        <RowMenu
          label={`Actions for ${name}`}
          items={[
            {
              label: 'Rename',
              Icon: IconPencil,
              onPress: () => onOpen({ kind: 'rename', passkey }),
            },
            {
              label: 'Remove',
              Icon: IconTrash,
              onPress: () => onOpen({ kind: 'remove', passkey }),
              isDanger: true,
            },
          ]}
        />
      }
    />
  )
}

function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const utils = trpc.useUtils()
  const remove = trpc.security.removePasskey.useMutation({
    onSuccess: notifyDone('Passkey removed'),
    onError: notifyFailure('The passkey could not be removed'),
    onSettled: async () => {
      onClose()
      await utils.security.factors.invalidate()
    },
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={() => remove.mutate({ id: passkey.id })}
      title="Remove this passkey"
      confirmLabel="Remove"
      pendingLabel="Removing..."
      isPending={remove.isPending}
    >
      <p>
        "{passkey.name}" no longer signs you in. Your device may still show it; you can delete it
        there too.
      </p>
    </ConfirmDialog>
  )
}

/** Switch that asks for a passkey after the password. Members with an authenticator app can use either. */
function AfterPassword({ factors, username }: Pick<PasskeysProps, 'factors' | 'username'>) {
  const utils = trpc.useUtils()
  const change = trpc.security.setPasskeyAfterPassword.useMutation({
    onError: notifyFailure('Not saved'),
    onSettled: () => utils.security.factors.invalidate(),
  })
  const isRequired = factors.required?.isDue === true
  const isOn = change.isPending ? change.variables.isOn : factors.passkeyAfterPassword
  const codes = change.data?.recoveryCodes
  return (
    <>
      <Switch
        label="Ask for a passkey after the password"
        description={
          isRequired
            ? 'This site requires two-step sign-in.'
            : 'Otherwise the password alone also signs you in.'
        }
        checked={isOn || isRequired}
        disabled={isRequired || change.isPending}
        onChange={(event) => change.mutate({ isOn: event.currentTarget.checked })}
      />
      {codes && <CodesDialog codes={codes} username={username} onClose={() => change.reset()} />}
    </>
  )
}

const DISMISSED = 'clutch-passkey-offer'

/** Shown on devices that can store passkeys, until the member closes it. */
function Offer() {
  const [isShown, setShown] = useState(() => deviceStorage.read(DISMISSED) === null)
  if (!isShown) return null
  const dismiss = () => {
    deviceStorage.write(DISMISSED, 'closed')
    setShown(false)
  }
  return (
    <div className={row(12, 'between', 'rounded', 'softInfo', 'pad8x12')}>
      <p>Sign in faster with a passkey of this device.</p>
      <IconButton aria-label="Close" onClick={dismiss}>
        <IconX size={18} aria-hidden />
      </IconButton>
    </div>
  )
}
