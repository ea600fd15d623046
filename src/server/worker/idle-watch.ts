import os from 'node:os'

const POLL_MS = 5000
/** Cores that others keep busy, from which on the machine counts as in use. */
const BUSY_CORES = 0.75
/** Looks in a row that decide. */
const BUSY_LOOKS = 2
const QUIET_LOOKS = 4

/** What a look at the machine's processors says. */
type Times = { others: number; all: number }

/** Whether the machine is in use by something else, as it changes. */
export type IdleWatch = ReturnType<typeof watchIdleness>

/**
 * Looks every 5 s how much of the processors other programs take. Work on videos has the lowest priority, and the
 * system counts it apart; where it does not (Windows), it is looked only while nothing is being worked on.
 * @param isWorking whether this program works on videos now
 * @param onBusy called when something else begins to need the machine
 */
export function watchIdleness({
  isWorking,
  onBusy,
}: {
  isWorking: () => boolean
  onBusy: () => void
}) {
  let before = readTimes()
  let busyLooks = 0
  let quietLooks = 0
  let isIdle = true
  const poll = () => {
    const now = readTimes()
    const share = (now.others - before.others) / Math.max(1, now.all - before.all)
    before = now
    if (process.platform === 'win32' && isWorking()) return
    const isBusy = share * os.cpus().length >= BUSY_CORES
    busyLooks = isBusy ? busyLooks + 1 : 0
    quietLooks = isBusy ? 0 : quietLooks + 1
    if (isIdle && busyLooks >= BUSY_LOOKS) {
      isIdle = false
      onBusy()
    }
    if (!isIdle && quietLooks >= QUIET_LOOKS) isIdle = true
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
  // What this program itself does: it fetches, hashes and sends.
  const { user, system } = process.cpuUsage()
  sum.others -= (user + system) / 1000
  return sum
}
