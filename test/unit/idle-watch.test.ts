import { spawn } from 'node:child_process'
import { expect, onTestFinished } from 'vitest'
import { watchIdleness } from '#server/worker/idle-watch.ts'
import { longTest } from '#test/support/long-form.ts'

/** Programs of this machine that are not the test's own. */
function keepBusy(): void {
  const child = spawn(process.execPath, ['-e', 'for (;;) {}'])
  onTestFinished(() => void child.kill('SIGKILL'))
}

longTest('a program of normal priority that takes a whole core makes a worker yield', async () => {
  const yielded = Promise.withResolvers<void>()
  const watch = watchIdleness({ isWorking: () => true, onBusy: yielded.resolve })
  onTestFinished(() => watch.stop())
  keepBusy()
  await yielded.promise
  expect(watch.isIdle()).toBe(false)
})
