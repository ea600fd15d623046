import { IconBrandDiscord, IconShieldLock } from '@tabler/icons-react'
import type { OfferedProvider } from '#shared/schemas/provider.schemas.ts'

export const iconOf = ({ kind }: Pick<OfferedProvider, 'kind'>) =>
  kind === 'discord' ? IconBrandDiscord : IconShieldLock
