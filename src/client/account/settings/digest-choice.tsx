import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { trpc } from '#client/trpc.ts'

const DigestSelect = lazyPart(() => import('./digest-select.tsx'))

/** Renders nothing without a verified address. Sites that send no email do not load its code. */
export default function DigestChoice() {
  const { data: state } = trpc.email.state.useQuery()
  return state?.sends && state.isVerified ? <DigestSelect /> : null
}
