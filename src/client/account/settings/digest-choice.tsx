import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { trpc } from '#client/trpc.ts'

const DigestSelect = lazyPart(() => import('./digest-select.tsx'))

/** Nothing without a verified address, nor its code on a site that sends no email. */
export function DigestChoice() {
  const { data: state } = trpc.email.state.useQuery()
  return state?.sends && state.isVerified ? <DigestSelect /> : null
}
