import { setImmediate } from 'node:timers/promises'

/** How often others had their turn while `work` was done. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false]
  const counting = (async () => {
    while (!isDone) {
      await setImmediate()
      turns += 1
    }
  })()
  await work()
  isDone = true
  await counting
  return turns
}
