import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { PageSpinner } from '#client/kit/spinner.tsx'
import { trpcClient } from '#client/trpc.ts'
import { ProviderRegisterForm } from './provider-register-form.tsx'

/** What became of a visit to a provider. Asked once, since its answer depends on a cookie only. */
function useOutcome() {
  return useQuery({
    queryKey: ['provider-outcome'],
    queryFn: () => trpcClient.provider.outcome.mutate(),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** On the sign-in page: the form for an account, or what went wrong above the ways to sign in. */
export default function ProviderOutcome({ children }: { children: ReactNode }) {
  const outcome = useOutcome()
  if (outcome.isPending) return <PageSpinner />
  if (outcome.data?.kind === 'register') return <ProviderRegisterForm newcomer={outcome.data} />
  return (
    <>
      <Problem sentence={outcome.data?.sentence} />
      {children}
    </>
  )
}

/** In the settings, after linking or confirming. */
export function ProviderProblem() {
  const { data } = useOutcome()
  return <Problem sentence={data?.kind === 'problem' ? data.sentence : undefined} />
}

function Problem({ sentence }: { sentence: string | undefined }) {
  if (!sentence) return null
  return (
    <p className={look('below16', 'pad12x16', 'rounded', 'softPulse', 'textColor')} role="alert">
      {sentence}
    </p>
  )
}
