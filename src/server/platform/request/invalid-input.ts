import type { ZodError, z } from 'zod'
import { AppError } from '../errors.ts'

type Issue = ZodError['issues'][number]

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
}

export function describeInvalidInput(error: ZodError): string {
  const issue = error.issues[0]
  if (!issue) return 'The request is not valid.'
  const field = issue.path.filter((part) => typeof part === 'string').join('.')
  const subject = field || 'The request body'
  const problem = describeProblem(issue)
  return /^[A-Z]/.test(problem) ? problem : `${subject} ${problem}.`
}

function describeProblem(issue: Issue): string {
  if (isOwnMessage(issue)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return / received undefined$/.test(issue.message)
        ? 'is missing'
        : `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
    case 'too_big':
      return 'is too long'
    case 'too_small':
      return 'is too short'
    default:
      return 'is not valid'
  }
}

/** The library's messages begin with these words. */
function isOwnMessage(issue: Issue): boolean {
  return !/^(Invalid|Too big|Too small|Unrecognized)/.test(issue.message)
}

export function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: unknown,
): z.infer<Schema> {
  const result = schema.safeParse(fields)
  if (!result.success) throw new AppError('invalid', describeInvalidInput(result.error))
  return result.data
}
