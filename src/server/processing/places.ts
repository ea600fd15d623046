/**
 * Makes a gate that lets `count` pieces of work run at a time; the others wait in line.
 */
export function createPlaces(count: number) {
  let taken = 0
  const waiting: (() => void)[] = []
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (taken >= count) await new Promise<void>((resolve) => waiting.push(resolve))
    else taken++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else taken--
    }
  }
}
