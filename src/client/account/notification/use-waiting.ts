import { trpc } from '#client/trpc.ts'
import type { Waiting } from '#shared/schemas/desk/overview.schemas.ts'
import { useSession } from '../auth/use-session.ts'

const POLL_MS = 30_000

const KINDS = [
  {
    name: 'approvals',
    section: 'approvals',
    one: 'upload waits',
    many: 'uploads wait',
    for: ' for approval',
  },
  { name: 'openReports', section: 'reports', one: 'open report', many: 'open reports', for: '' },
  {
    name: 'heldComments',
    section: 'comments',
    one: 'comment',
    many: 'comments',
    for: ' to review',
  },
  { name: 'failedJobs', section: 'jobs', one: 'failed job', many: 'failed jobs', for: '' },
] as const satisfies { name: keyof Waiting; [words: string]: string }[]

type WaitingLine = { section: string; text: string }

/** Empty for members who are no admins. */
export function useWaiting(): { lines: WaitingLine[]; count: number } {
  const isAdmin = useSession()?.isAdmin ?? false
  const { data } = trpc.overview.waiting.useQuery(undefined, {
    enabled: isAdmin,
    refetchInterval: POLL_MS,
  })
  if (!isAdmin || !data) return { lines: [], count: 0 }
  const lines = KINDS.flatMap(({ name, section, one, many, for: end }) => {
    const count = data[name]
    return count > 0 ? [{ section, text: `${count} ${count === 1 ? one : many}${end}` }] : []
  })
  return { lines, count: KINDS.reduce((sum, { name }) => sum + data[name], 0) }
}
