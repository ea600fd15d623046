import type { ReactNode } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { PageSpinner } from '#client/kit/spinner.tsx'
import { useAskedOnce } from '#client/platform/use-asked-once.ts'
import { trpcClient } from '#client/trpc.ts'
import { ProviderRegisterForm } from './provider-register-form.tsx'

const useOutcome = () =>
  useAskedOnce('provider-outcome', () => trpcClient.provider.outcome.mutate())

type ProviderOutcomeProps = { className: string | undefined; children: ReactNode }

/**
 * Shows the result of a visit on the sign-in page: the registration form, or the problem above the ways to sign in.
 */
export default function ProviderOutcome({ className, children }: ProviderOutcomeProps) {
  const outcome = useOutcome()
  // The box would move when its content loads, so this is outside it.
  if (outcome.isPending) return <PageSpinner />
  if (outcome.data?.kind === 'register') {
    return (
      <div className={className}>
        <ProviderRegisterForm newcomer={outcome.data} />
      </div>
    )
  }
  return (
    <div className={`${stack(16)} ${className}`}>
      <Problem sentence={outcome.data?.sentence} />
      {children}
    </div>
  )
}

/** Shows in the settings why linking or confirming failed. */
export function ProviderProblem() {
  const { data } = useOutcome()
  return <Problem sentence={data?.kind === 'problem' ? data.sentence : undefined} />
}

function Problem({ sentence }: { sentence: string | undefined }) {
  if (!sentence) return null
  return (
    <p className={look('pad12x16', 'rounded', 'softPulse', 'textColor')} role="alert">
      {sentence}
    </p>
  )
}
