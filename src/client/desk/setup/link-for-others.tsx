import { stack } from '#client/kit/layout/layout.ts'
import { CopyField } from '../../kit/control/copy-field.tsx'
import { trpc } from '../../trpc.ts'
import { describeLink, linkOrigin } from './reach-findings.ts'
import { Finding } from './reach-step.tsx'

type LinkForOthersProps = {
  label: string
  /** Begins with a slash. */
  path: string
  /** The text of the toast. */
  message: string
}

/** Warns when the recipient cannot open the link. */
export function LinkForOthers({ label, path, message }: LinkForOthersProps) {
  const reach = trpc.setup.reach.useQuery()
  // A late link is better than one that changes after it was copied.
  if (reach.isPending) return null
  const { publicUrl = null, lanOrigins = [] } = reach.data ?? {}
  const origin = linkOrigin({ publicUrl }, location.origin)
  const finding = describeLink({ lanOrigins }, origin)
  return (
    <div className={stack(12)}>
      <CopyField label={label} text={`${origin}${path}`} message={message} />
      {finding && (
        <ul className={stack(16)}>
          <Finding finding={finding} />
        </ul>
      )}
    </div>
  )
}
