import '#client/kit/styles/mantine-pages.css'
import { Button, Checkbox } from '@mantine/core'
import { look, stack } from '#client/kit/layout/layout.ts'
import { iconOf } from '#client/kit/provider-icon.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import type { OfferedProvider } from '#shared/schemas/provider.schemas.ts'
import classes from './provider-buttons.module.css'
import { useProviderVisit } from './use-provider-visit.ts'

type ProviderButtonsProps = {
  providers: readonly OfferedProvider[]
  /** Path to open after the sign-in. */
  next: string | undefined
  invite?: string | undefined
  /** Position of the password form, if it is shown. */
  form?: 'above' | 'below' | undefined
  /** True if no form beside the buttons has a checkbox for `rememberMe`. */
  hasCheckbox: boolean
  rememberMe: boolean
  onRememberMe: (rememberMe: boolean) => void
}

export function ProviderButtons(props: ProviderButtonsProps) {
  const { providers, next, invite, form, hasCheckbox, rememberMe, onRememberMe } = props
  const visit = useProviderVisit()
  const or = <p className={`${classes.or} ${look('muted')}`}>or</p>
  return (
    <>
      {form === 'above' && or}
      <div className={stack(12)}>
        {providers.map((provider) => {
          const Icon = iconOf(provider)
          const { id, name } = provider
          return (
            <Button
              key={id}
              variant="default"
              fullWidth
              leftSection={<Icon size={20} stroke={1.75} aria-hidden />}
              disabled={visit.isPending}
              onClick={() => visit.begin({ id, purpose: 'sign-in', next, invite, rememberMe })}
            >
              {visit.isPending && visit.id === id ? `Opening ${name}...` : `Continue with ${name}`}
            </Button>
          )
        })}
        {hasCheckbox && (
          <Checkbox
            label="Stay logged in on this device"
            checked={rememberMe}
            onChange={(event) => onRememberMe(event.currentTarget.checked)}
          />
        )}
        <p className={look('problem', 'hiddenWhenEmpty')} role="alert">
          {visit.error && serverSentence(visit.error)}
        </p>
      </div>
      {form === 'below' && or}
    </>
  )
}
