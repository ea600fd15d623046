import type Sqlite from 'better-sqlite3'

/** Reports whether a database was changed, by what SQLite itself counts. */
export type ChangeCount = ReturnType<typeof createChangeCount>

export function createChangeCount(sqlite: Sqlite.Database) {
  const changedRows = sqlite.prepare<[], number>('SELECT total_changes()').pluck()
  const dataVersion = sqlite.prepare<[], number>('PRAGMA data_version').pluck()
  const count = (statement: { get: () => number | undefined }) => statement.get() ?? 0
  let quietRows = 0
  let foreignCommits = 0
  let lastVersion = count(dataVersion)
  let versionIsCurrent = false

  /** Once for each turn of the event loop: nobody can have heard of a foreign commit within it. */
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
     * A number that grows with every write of this connection, unless it is quiet, and with every commit of another
     * one. Undefined while a transaction is open: what it wrote is counted already, and seen by nobody yet.
     */
    read(): number | undefined {
      if (sqlite.inTransaction) return undefined
      readVersion()
      return count(changedRows) - quietRows + foreignCommits
    },

    /** Has the rows that `work` writes not count. Nobody else may write meanwhile: it runs in a transaction. */
    async ignore<Result>(work: () => Promise<Result>): Promise<Result> {
      const before = count(changedRows)
      const result = await work()
      quietRows += count(changedRows) - before
      return result
    },
  }
}
