import { Button } from '@mantine/core'
import { look, stack } from '#client/kit/layout/layout.ts'
import { iconOf } from '#client/kit/provider-icon.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import type { LinkedAccounts } from '#shared/schemas/provider.schemas.ts'
import { useProviderVisit } from './use-provider-visit.ts'

type ConfirmByProviderProps = { identities: LinkedAccounts['identities'] }

/** Confirms the member's identity by a new sign-in at a provider, which returns to this page. */
export default function ConfirmByProvider({ identities }: ConfirmByProviderProps) {
  const visit = useProviderVisit()
  const next = `${location.pathname}${location.search}${location.hash}`
  return (
    <div className={stack(12)}>
      {identities.map(({ provider }) => {
        const Icon = iconOf(provider)
        const { id, name } = provider
        return (
          <Button
            key={id}
            variant="default"
            fullWidth
            leftSection={<Icon size={18} stroke={1.75} aria-hidden />}
            disabled={visit.isPending}
            onClick={() => visit.begin({ id, purpose: 'confirm', next })}
          >
            {visit.isPending && visit.id === id ? `Opening ${name}...` : `Confirm with ${name}`}
          </Button>
        )
      })}
      <p className={look('note')}>You come back to this page. What you entered here is lost.</p>
      <p className={look('problem', 'hiddenWhenEmpty')} role="alert">
        {visit.error && serverSentence(visit.error)}
      </p>
    </div>
  )
}
