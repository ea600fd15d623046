/** @param code or its first letters */
export function hasCode(error: unknown, code: string): error is Error {
  if (!(error instanceof Error && 'code' in error)) return false
  return typeof error.code === 'string' && error.code.startsWith(code)
}
