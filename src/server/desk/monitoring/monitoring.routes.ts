import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { STOPPING_TEXT } from '#server/platform/http/connection/connections.ts'
import { sendFailure } from '#server/platform/http/plain-text-error.ts'
import { createReadiness, type Problem } from './readiness.service.ts'

const NOT_READY = 'The site cannot do all of its work right now. Please try again in a moment.'
const RETRY_SECONDS = 5

/** Says to load balancers and monitors how the site is doing. */
export async function registerMonitoring(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  const findProblems = createReadiness(deps)
  const noteChange = createNote(app)

  app.get('/api/ready', async (request, reply) => {
    const unready = (message: string) =>
      sendFailure(reply, { status: 503, message, retryAfterSeconds: RETRY_SECONDS })
    if (deps.closing.aborted) return unready(STOPPING_TEXT)
    const problems = await findProblems()
    noteChange(problems)
    if (problems.length > 0) {
      const reasons = problems.map(({ reason }) => reason).join(' ')
      return unready((await isAdmin(deps, request)) ? reasons : NOT_READY)
    }
    return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('ok')
  })
}

/** Whether an admin asks; where the database is what fails, nobody is known to be one. */
async function isAdmin({ identity }: AppDeps, request: FastifyRequest): Promise<boolean> {
  const session = await identity.sessionOf(request).catch(() => undefined)
  return session?.viewer.isAdmin ?? false
}

/** Monitors ask all the time: the log hears of what is new. */
function createNote({ log }: FastifyInstance): (problems: Problem[]) => void {
  let noted = ''
  return (problems) => {
    const reasons = problems.map(({ reason }) => reason)
    const text = problems.map(({ part }) => part).join()
    if (text === noted) return
    noted = text
    if (text) log.warn({ reasons }, 'not ready')
    else log.info('ready again')
  }
}
