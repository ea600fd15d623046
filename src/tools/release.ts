/**
 * `npm run release -- patch|minor|major [--dry-run]`: turns Unreleased in CHANGELOG.md into a
 * version, also in package.json and package-lock.json, commits and tags it. Pushes nothing.
 */
import { join } from 'node:path'
import { EXIT_WRONG_CALL, readArguments, runCommand, say } from '#server/command/command-line.ts'
import { CommandError } from '#server/platform/errors.ts'
import { isLevel, type Level } from './release/next-version.ts'
import { planRelease, publishRelease } from './release/publish-release.ts'

const USAGE = 'Usage: npm run release -- patch|minor|major [--dry-run]'
const ROOT = join(import.meta.dirname, '..', '..')

await runCommand(async () => {
  const { level, isDryRun } = readCall()
  const plan = await planRelease({ root: ROOT, level, date: new Date().toISOString().slice(0, 10) })
  say(`${plan.before} → ${plan.version}`)
  say('')
  say(plan.notes)
  say('')
  if (isDryRun) {
    say('Nothing was changed, as --dry-run asks for.')
    return 0
  }
  await publishRelease(plan)
  say(`Committed, and tagged ${plan.tag}. Publish it with: git push --follow-tags`)
  return 0
})

function readCall(): { level: Level; isDryRun: boolean } {
  const { values, positionals } = readArguments({ 'dry-run': { type: 'boolean' } }, USAGE)
  const [level, ...others] = positionals
  if (!isLevel(level) || others.length > 0) throw new CommandError(USAGE, EXIT_WRONG_CALL)
  return { level, isDryRun: values['dry-run'] === true }
}
