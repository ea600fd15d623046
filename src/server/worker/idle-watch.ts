import os from 'node:os'

const POLL_MS = 5000
/** Cores used by other programs. */
const BUSY_CORES = 0.75
const BUSY_SAMPLES = 2
const QUIET_SAMPLES = 4

type Times = { others: number; all: number }

export type IdleWatch = ReturnType<typeof watchIdleness>

/**
 * Samples other programs' CPU time every 5 s. The system counts media work, of lowest priority,
 * separately; on Windows samples are taken between jobs.
 * @param onBusy others need the machine
 */
export function watchIdleness({
  isWorking,
  onBusy,
}: {
  isWorking: () => boolean
  onBusy: () => void
}) {
  let before = readTimes()
  let busySamples = 0
  let quietSamples = 0
  let isIdle = true
  const poll = () => {
    const now = readTimes()
    const share = (now.others - before.others) / Math.max(1, now.all - before.all)
    before = now
    if (process.platform === 'win32' && isWorking()) return
    const isBusy = share * os.cpus().length >= BUSY_CORES
    busySamples = isBusy ? busySamples + 1 : 0
    quietSamples = isBusy ? 0 : quietSamples + 1
    if (isIdle && busySamples >= BUSY_SAMPLES) {
      isIdle = false
      onBusy()
    }
    if (!isIdle && quietSamples >= QUIET_SAMPLES) isIdle = true
  }
  const timer = setInterval(poll, POLL_MS)
  return { isIdle: () => isIdle, stop: () => clearInterval(timer) }
}

function readTimes(): Times {
  const sum = { others: 0, all: 0 }
  for (const { times } of os.cpus()) {
    sum.others += times.user + times.sys
    sum.all += times.user + times.sys + times.nice + times.idle + times.irq
  }
  const { user, system } = process.cpuUsage()
  sum.others -= (user + system) / 1000
  return sum
}
