import type Sqlite from 'better-sqlite3'

/** By SQLite's own counters. */
export type ChangeCount = ReturnType<typeof createChangeCount>

export function createChangeCount(sqlite: Sqlite.Database) {
  const changedRows = sqlite.prepare<[], number>('SELECT total_changes()').pluck()
  const dataVersion = sqlite.prepare<[], number>('PRAGMA data_version').pluck()
  const count = (statement: { get: () => number | undefined }) => statement.get() ?? 0
  let quietRows = 0
  let foreignCommits = 0
  let lastVersion = count(dataVersion)
  let versionIsCurrent = false

  /** Once per turn of the event loop: no request can depend on a foreign commit within it. */
  function readVersion(): void {
    if (versionIsCurrent) return
    const version = count(dataVersion)
    if (version !== lastVersion) foreignCommits += 1
    lastVersion = version
    versionIsCurrent = true
    setImmediate(() => {
      versionIsCurrent = false
    })
  }

  return {
    /**
     * Grows with this connection's writes that are not quiet, and foreign commits. Undefined in a
     * transaction: its writes are counted but not visible.
     */
    read(): number | undefined {
      if (sqlite.inTransaction) return undefined
      readVersion()
      return count(changedRows) - quietRows + foreignCommits
    },

    /** In a transaction, so that nobody else writes meanwhile. */
    async ignore<Result>(work: () => Promise<Result>): Promise<Result> {
      const before = count(changedRows)
      const result = await work()
      quietRows += count(changedRows) - before
      return result
    },
  }
}
