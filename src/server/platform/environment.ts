import { readFileSync } from 'node:fs'
import { ConfigError } from './errors.ts'

const BLANK_OR_SETTING = /^[ \t]*(?:$|#|(?:export[ \t]+)?[A-Za-z_]\w*[ \t]*=)/

/**
 * Adds the settings in a file to the environment of this process, where what is set already wins. It is fine that
 * there is no such file.
 * @throws ConfigError for a file that cannot be read, and for a line that is no setting; the line is not shown, as
 * it may be half of a secret
 */
export function loadSettingsFile(path: string): void {
  const text = readText(path, `${path} must be a file that this account may read.`)
  if (text === undefined) return
  const wrong = text.split(/\r?\n/).findIndex((line) => !BLANK_OR_SETTING.test(line))
  if (wrong !== -1) {
    throw new ConfigError(`Line ${wrong + 1} of the file ${path} must have the form NAME=value.`)
  }
  process.loadEnvFile(path)
}

/**
 * The environment with the content of each file that `<name>_FILE` names, without the white space around it, as the
 * value of `<name>`.
 * @throws ConfigError for a file that is empty or cannot be read, and where both are set
 */
export function readSecretFiles(
  environment: Record<string, string | undefined>,
  names: readonly string[],
): Record<string, string | undefined> {
  const secrets = names.flatMap((name) => {
    const path = environment[`${name}_FILE`]
    if (path === undefined) return []
    if (environment[name] !== undefined) {
      throw new ConfigError(`Either ${name} or ${name}_FILE can be set, not both.`)
    }
    // A value without the look of a path may be the secret itself, in the wrong variable.
    const shown = /^([a-z]:[\\/]|[./])/i.test(path) ? describeValue(path) : ''
    const failure = `${name}_FILE must name a file with text that this account may read${shown}.`
    const value = readText(path, failure)?.trim()
    if (!value) throw new ConfigError(failure)
    return [[name, value]]
  })
  return { ...environment, ...Object.fromEntries(secrets) }
}

/** What is said of a value that cannot be used; nothing of one that may have a user, a password or a key in it. */
export function describeValue(value: string): string {
  return /[@?]|secret/i.test(value) ? '' : `, but is '${value}'`
}

function readText(path: string, failure: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ConfigError(failure)
  }
}
