/**
 * Calls `act` with the first value and then at most once per interval; other values are dropped.
 * @param now in milliseconds
 */
export function atMostEvery<Value>(
  intervalMs: number,
  act: (value: Value) => void,
  now: () => number = () => performance.now(),
): (value: Value) => void {
  let next = Number.NEGATIVE_INFINITY
  return (value) => {
    const time = now()
    if (time < next) return
    next = time + intervalMs
    act(value)
  }
}
