import { addToReading, type Changes, type Reading, record } from './changes.ts'

type Entry<Value> = { value: Value; reading: Reading; bytes: number }
type Making<Value> = Promise<{ value: Value; reading: Reading }>

/** What an entry costs besides its key and value. */
const ENTRY_BYTES = 400
/** Of each table and video that it was read from. */
const NOTED_BYTES = 40

/** Keeps what was read for as long as nothing of it changes, and in no more memory than `bytesMax`. */
export type Kept<Value> = ReturnType<typeof createKept<Value>>

export function createKept<Value>(
  changes: Changes,
  { bytesMax, bytesOf }: { bytesMax: number; bytesOf: (value: Value) => number },
) {
  const entries = new Map<string, Entry<Value>>()
  const underWay = new Map<string, Making<Value>>()
  /** Goes on from where it was: a new one would first step over all that was dropped. */
  let oldest = entries.keys()
  let bytes = 0

  function drop(key: string): void {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    bytes -= entry.bytes
  }

  function find(key: string, isCurrent = changes.isCurrent): Entry<Value> | undefined {
    const entry = entries.get(key)
    if (!entry || isCurrent(entry.reading)) return entry
    drop(key)
    return undefined
  }

  function keep(key: string, { value, reading }: { value: Value; reading: Reading }): void {
    drop(key)
    if (!changes.isCurrentTogether(reading)) return
    const noted = (reading.tables.size + reading.counted.size) * NOTED_BYTES
    const own = key.length * 2 + bytesOf(value)
    const entry = { value, reading, bytes: ENTRY_BYTES + noted + own }
    if (entry.bytes > bytesMax) return
    entries.set(key, entry)
    bytes += entry.bytes
    while (bytes > bytesMax) dropOldest()
  }

  function dropOldest(): void {
    const next = oldest.next()
    if (next.done) oldest = entries.keys()
    else drop(next.value)
  }

  async function make(key: string, work: () => Promise<Value>): Making<Value> {
    const made = record(changes, work)
    underWay.set(key, made)
    try {
      const result = await made
      keep(key, result)
      return result
    } finally {
      if (underWay.get(key) === made) underWay.delete(key)
    }
  }

  return {
    /** The value under `key` while it is current. */
    find: (key: string): Value | undefined => find(key)?.value,

    /** As `find`, for requests that arrive together (`Changes.isCurrentTogether`). */
    findTogether: (key: string): Value | undefined => find(key, changes.isCurrentTogether)?.value,

    /** As `findTogether`, for an answer that is being made: it depends on what this was read from. */
    use(key: string): Value | undefined {
      const entry = find(key, changes.isCurrentTogether)
      if (entry) addToReading(entry.reading)
      return entry?.value
    },

    keep,

    /** Whether so many bytes fit in without anything making room for them. */
    hasRoom: (size: number): boolean => bytes + ENTRY_BYTES + size <= bytesMax,

    /** The value under `key`, or else what `work` reads; many who ask at once wait for one reading. */
    async read(key: string, work: () => Promise<Value>): Promise<Value> {
      const known = find(key)
      if (known) {
        addToReading(known.reading)
        return known.value
      }
      const other = await underWay.get(key)?.catch(() => undefined)
      if (other && changes.isCurrent(other.reading)) {
        addToReading(other.reading)
        return other.value
      }
      return (await make(key, work)).value
    },
  }
}
