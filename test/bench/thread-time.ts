import type { Browser } from 'playwright-core'

type TraceEvent = {
  name: string
  pid: number
  tid: number
  args: { name?: string }
  /** Microseconds that the thread had a processor, for what has a beginning and an end. */
  tdur?: number
}

const TASK = 'ThreadControllerImpl::RunTask'
const MAIN_THREAD = 'CrRendererMain'

/**
 * Milliseconds of processor time of each task that the pages' main threads run during `work`: unlike their duration it
 * does not count the waiting for a processor that others have.
 */
export async function tasksByThreadTime(
  browser: Browser,
  work: () => Promise<void>,
): Promise<number[]> {
  const cdp = await browser.newBrowserCDPSession()
  const events: TraceEvent[] = []
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const traceConfig = { recordMode: 'recordAsMuchAsPossible', includedCategories: ['toplevel'] }
  await cdp.send('Tracing.start', { traceConfig, transferMode: 'ReportEvents' } as never)
  await work()
  const complete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve))
  await cdp.send('Tracing.end')
  await complete
  await cdp.detach()
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args.name === MAIN_THREAD
  const main = new Set(events.filter(isMain).map(threadOf))
  return events
    .filter((event) => event.name === TASK && main.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1000)
}
