import { readFileSync } from 'node:fs'
import { ConfigError } from './errors.ts'

const BLANK_OR_SETTING = /^[ \t]*(?:$|#|(?:export[ \t]+)?[A-Za-z_]\w*[ \t]*=)/

/**
 * Existing variables win.
 * @throws ConfigError for an unreadable file or line, without its content, which may be secret
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

/** @throws ConfigError for an empty or unreadable file, or when both are set */
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
    // Anything else may be the secret itself.
    const shown = /^([a-z]:[\\/]|[./])/i.test(path) ? describeValue(path) : ''
    const failure = `${name}_FILE must name a file with text that this account may read${shown}.`
    const value = readText(path, failure)?.trim()
    if (!value) throw new ConfigError(failure)
    return [[name, value]]
  })
  return { ...environment, ...Object.fromEntries(secrets) }
}

/** Empty if it may contain credentials. */
export function describeValue(value: string): string {
  return /[@?#]|secret/i.test(value) ? '' : `, but is '${value}'`
}

function readText(path: string, failure: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ConfigError(failure)
  }
}
