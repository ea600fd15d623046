/**
 * `npm run doctor`: compares the database and the files of a data folder, running or stopped, and
 * prints what is missing, orphaned or damaged. It changes nothing; it ends with 1 when it found
 * anything.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, dataFolderIsTaken, openDatabaseToRead } from '../db/database.ts'
import {
  count,
  EXIT_FAILED,
  readNoArguments,
  requireDataFolder,
  runCommand,
  say,
} from './command-line.ts'
import { checkSite, type SiteCheck } from './site-check.ts'

const SECOND_LOOK_MS = 1500

await runCommand(async () => {
  readNoArguments('The doctor takes no arguments: npm run doctor')
  const dataFolder = requireDataFolder()
  const db = openDatabaseToRead(dataFolder)
  try {
    const { problems, videos, files } = await checkWell(db, dataFolder)
    if (problems.length === 0) {
      say(`All is well: the rows of ${count(videos, 'video')} and ${count(files, 'file')} agree.`)
      return 0
    }
    for (const { kind, text } of problems) say(`${kind}: ${text}`)
    say(`${count(problems.length, 'problem')} in ${dataFolder}.`)
    return EXIT_FAILED
  } finally {
    await db.destroy()
  }
})

/** On a running site only what two looks agree on is a problem: rows and files change in between. */
async function checkWell(db: Database, dataFolder: string): Promise<SiteCheck> {
  const first = await checkSite(db, dataFolder)
  if (first.problems.length === 0 || !dataFolderIsTaken(dataFolder)) return first
  await pause(SECOND_LOOK_MS)
  const second = await checkSite(db, dataFolder)
  const before = new Set(first.problems.map((problem) => problem.text))
  return { ...second, problems: second.problems.filter((problem) => before.has(problem.text)) }
}
