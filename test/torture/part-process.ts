/**
 * One part, whose file is the argument: what it is given comes from the process that has started this one, and
 * its result goes there.
 */
import type { TortureInput, TorturePart } from './part.ts'

process.once('disconnect', () => process.exit(1))
process.once('message', async (input: Omit<TortureInput, 'log'>) => {
  const { part } = (await import(process.argv[2] as string)) as { part: TorturePart }
  const log = (line: string) => process.stderr.write(`${part.name}: ${line}\n`)
  const result = await part.run({ ...input, log }).catch((error: Error) => ({
    figures: [],
    failures: [`The part itself broke off: ${error.stack ?? error.message}`],
  }))
  process.send?.(result)
})
