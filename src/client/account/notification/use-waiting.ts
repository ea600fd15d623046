import { trpc } from '#client/trpc.ts'
import type { Waiting } from '#shared/schemas/desk/overview.schemas.ts'
import { useSession } from '../auth/use-session.ts'

const POLL_MS = 30_000

type Counted = 'approvals' | 'openReports' | 'heldComments' | 'failedJobs' | 'pausedWebhooks'

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
  {
    name: 'pausedWebhooks',
    section: 'webhooks',
    one: 'webhook is paused',
    many: 'webhooks are paused',
    for: '',
  },
] as const satisfies { name: Counted; [words: string]: string }[]

type WaitingLine = { to: string; text: string; count: number }

/** Empty for members who are no admins. */
export function useWaiting(): { lines: WaitingLine[]; count: number } {
  const isAdmin = useSession()?.isAdmin ?? false
  const { data } = trpc.overview.waiting.useQuery(undefined, {
    enabled: isAdmin,
    refetchInterval: POLL_MS,
  })
  const lines = isAdmin && data ? linesOf(data) : []
  return { lines, count: lines.reduce((sum, line) => sum + line.count, 0) }
}

function linesOf(waiting: Waiting): WaitingLine[] {
  const counted = KINDS.flatMap(({ name, section, one, many, for: end }) => {
    const count = waiting[name]
    const text = `${count} ${count === 1 ? one : many}${end}`
    return count > 0 ? [{ to: `/admin/${section}`, text, count }] : []
  })
  const { isDiskFull, newVersion } = waiting
  return [
    ...(isDiskFull ? [{ to: '/admin/storage', text: 'The disk is full', count: 1 }] : []),
    ...counted,
    ...(newVersion ? [{ to: '/admin', text: `Version ${newVersion} is out`, count: 1 }] : []),
  ]
}
