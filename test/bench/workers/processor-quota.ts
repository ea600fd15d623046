import { existsSync } from 'node:fs'
import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const ROOT = '/sys/fs/cgroup'
const PERIOD_MICROS = 100_000
/** It has its quota also while others keep the machine busy. */
const [FIRST_SHARES, FIRST_WEIGHT] = ['100000', '9000']
const EMPTY_MS_MAX = 10_000

/** Gives processes, and all that they start, a share of one core and no more. */
export type ProcessorQuota = { add: (pid: number) => Promise<void>; remove: () => Promise<void> }

/**
 * A control group with a quota: `cpu.max` where version 2 of them has the processor, else `cpu.cfs_quota_us` of version 1.
 * @param cores of one core, such as 0.3
 * @throws Error where this account may make none
 */
export async function openQuota(name: string, cores: number): Promise<ProcessorQuota> {
  const first = [join(ROOT, 'cpu'), join(ROOT, 'cpu,cpuacct')].find((path) => existsSync(path))
  const folder = join(first ?? ROOT, `clutch-bench-${process.pid}-${name}`)
  const micros = Math.round(cores * PERIOD_MICROS)
  await mkdir(folder)
  if (first) {
    await writeFile(join(folder, 'cpu.cfs_period_us'), String(PERIOD_MICROS))
    await writeFile(join(folder, 'cpu.cfs_quota_us'), String(micros))
    await writeFile(join(folder, 'cpu.shares'), FIRST_SHARES)
  } else {
    await writeFile(join(ROOT, 'cgroup.subtree_control'), '+cpu')
    await writeFile(join(folder, 'cpu.max'), `${micros} ${PERIOD_MICROS}`)
    await writeFile(join(folder, 'cpu.weight'), FIRST_WEIGHT)
  }
  return {
    add: (pid) => writeFile(join(folder, 'cgroup.procs'), String(pid)),
    /** Once all in it have ended. */
    async remove() {
      const deadline = performance.now() + EMPTY_MS_MAX
      for (;;) {
        const error = await rmdir(folder).catch((reason: unknown) => reason)
        if (error === undefined) return
        if (performance.now() > deadline) throw error
        await pause(50)
      }
    },
  }
}
