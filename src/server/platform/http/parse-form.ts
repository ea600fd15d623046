const LINE_END = '\r\n'
const HEAD_END = Buffer.from('\r\n\r\n')
/** Longer ones are not looked at. */
const HEAD_BYTES_MAX = 8 * 1024
const NOTHING: FormPart = { name: '', isFile: false, bytes: Buffer.alloc(0) }

/** Bytes are a view of the body. */
type FormPart = { name: string; isFile: boolean; bytes: Buffer }

/**
 * A whole multipart/form-data body (RFC 7578), in time proportional to its length.
 * @param options.partsMax no more than one beyond it are looked for
 * @returns undefined for what is cut off or no form
 */
export function parseForm(
  body: Buffer,
  { boundary, partsMax }: { boundary: string; partsMax: number },
): FormPart[] | undefined {
  if (body.length === 0) return []
  const delimiter = Buffer.from(`${LINE_END}--${boundary}`, 'latin1')
  const opening = delimiter.subarray(LINE_END.length)
  const isFirst = body.subarray(0, opening.length).equals(opening)
  let at = isFirst ? -LINE_END.length : body.indexOf(delimiter)
  const parts: FormPart[] = []
  while (isFirst || at >= 0) {
    const start = at + delimiter.length
    const isEnd = body.toString('latin1', start, start + 2) === '--'
    if (isEnd || parts.length > partsMax) return parts
    at = body.indexOf(delimiter, start)
    if (at < 0) break
    parts.push(parsePart(body.subarray(start, at)))
  }
  return undefined
}

/** @returns undefined without a boundary */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? '') ?? []
  return quoted ?? bare
}

function parsePart(part: Buffer): FormPart {
  const headEnd = part.indexOf(HEAD_END)
  if (headEnd < 0 || headEnd > HEAD_BYTES_MAX) return NOTHING
  const head = parseHead(part.toString('latin1', 0, headEnd))
  const disposition = head.get('content-disposition') ?? ''
  if (!/^form-data[\t ]*(;|$)/i.test(disposition)) return NOTHING
  const names = parseParameters(disposition)
  const isFile =
    names.has('filename') ||
    names.has('filename*') ||
    /^application\/octet-stream[\t ]*(;|$)/i.test(head.get('content-type') ?? '')
  return { name: names.get('name') ?? '', isFile, bytes: part.subarray(headEnd + HEAD_END.length) }
}

/** The first of each name, up to a line that is none of a head. */
function parseHead(text: string): Map<string, string> {
  const head = new Map<string, string>()
  for (const line of text.replaceAll(/\r\n(?=[\t ])/g, '').split(LINE_END)) {
    if (line === '') continue
    const [, name, value = ''] = /^([^:\r\n]+):[\t ]?([^\r\n]*)$/.exec(line) ?? []
    if (name === undefined) break
    if (!head.has(name.toLowerCase())) head.set(name.toLowerCase(), value)
  }
  return head
}

function parseParameters(value: string): Map<string, string> {
  const found = value.matchAll(
    /;[\t ]*([^\s=;"]+)=[\t ]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+)[\t ]*(?=;|$))/g,
  )
  return new Map(
    Array.from(found, ([, name = '', quoted, bare = '']) => [name.toLowerCase(), quoted ?? bare]),
  )
}
