import type { PictureDeps } from '#server/platform/picture/stored-picture.ts'
import { displayNameRule } from '#shared/field-rules.ts'
import { tidyText } from '#shared/text/shown-text.ts'
import { changePicture } from '../settings/settings.service.ts'
import { updateUser } from '../user/user.queries.ts'
import {
  findIdentity,
  findMemberOfIdentity,
  type IdentityRow,
  type ProviderRow,
  updateIdentity,
} from './provider.queries.ts'
import type { ProviderAccount } from './provider-account.ts'
import type { ProviderDeps } from './provider-client.ts'
import { readAvatar } from './provider-exchange.ts'

type Log = { warn: (details: object, message: string) => void }

/**
 * Copies name and avatar only when they change at the provider, so that changes made here are kept. An avatar that
 * cannot be copied is logged.
 */
export async function takeProfile(
  deps: ProviderDeps & PictureDeps & { log: Log },
  input: { provider: ProviderRow; account: ProviderAccount; before: IdentityRow | undefined },
): Promise<void> {
  const { provider, account, before } = input
  if (provider.takesProfile === 0) return
  const found = { providerId: provider.id, subject: account.subject }
  const identity = await findIdentity(deps.db, found)
  if (!identity) return
  const { userId } = identity
  if (before && before.name !== account.name) await takeName(deps, { userId, name: account.name })
  const { avatar } = account
  if (avatar === null || avatar === identity.avatar) return
  try {
    const maxBytes = deps.config.maxThumbnailBytes
    const bytes = await readAvatar(deps, provider, { address: avatar, maxBytes })
    if (!bytes) return
    await changePicture(deps, { kind: 'avatar', bytes, viewer: { id: userId } })
    await updateIdentity(deps.db, { id: identity.id, change: { avatar } })
  } catch (error) {
    deps.log.warn({ err: error, provider: provider.id }, 'an avatar could not be copied')
  }
}

async function takeName(
  { db }: Pick<PictureDeps, 'db'>,
  { userId, name }: { userId: number; name: string },
): Promise<void> {
  const displayName = tidyText(name)
  const member = await findMemberOfIdentity(db, userId)
  if (displayNameRule(displayName) !== undefined || member?.displayName === displayName) return
  await updateUser(db, { id: userId, change: { displayName } })
}
