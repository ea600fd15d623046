const SENTENCE = { 'text/plain': { schema: { type: 'string', minLength: 1 } } }
const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds until it is worth trying again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
}

const MEANINGS: Record<number, string> = {
  400: 'A field is wrong or missing; the sentence names it.',
  401: 'Nobody is signed in, or the username or password is wrong.',
  403: "Not yours to do, or the request came from another site's page.",
  404: 'There is no such thing, or you may not see it.',
  409: 'It conflicts with what is there.',
  410: 'It was there, and its time is over.',
  413: 'Too large.',
  414: 'The address is too long.',
  415: 'Not a kind of content that is taken here.',
  422: 'The file cannot be used; the sentence says why.',
  429: 'Too many of these.',
  431: 'The headers are too large.',
  503: 'The database was busy for more than two seconds, or the site is starting or stopping.',
  507: 'The disk is full, or does not take what is written.',
}
const RETRIED = [429, 503]
const ALWAYS = [414, 429, 431, 503]
/** For any change: cross-site request, full disk. */
const CHANGING = [403, 507]
const WITH_BODY = [413, 415]

export function describeRefusals(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(MEANINGS).map(([status, description]) => [
      nameOf(Number(status)),
      {
        description,
        ...(RETRIED.includes(Number(status)) && { headers: RETRY_AFTER }),
        content: SENTENCE,
      },
    ]),
  )
}

export function listRefusals(
  own: readonly number[],
  options: { changes?: boolean; hasBody?: boolean } = {},
): Record<string, object> {
  const statuses = new Set([
    ...own,
    ...ALWAYS,
    ...(options.changes ? CHANGING : []),
    ...(options.hasBody ? WITH_BODY : []),
  ])
  return Object.fromEntries(
    [...statuses]
      .sort((a, b) => a - b)
      .map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  )
}

function nameOf(status: number): string {
  return `Refusal${status}`
}
