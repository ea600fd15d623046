const LINE_END = '\r\n'
const HEAD_END = Buffer.from('\r\n\r\n')

/** Bytes are a view of the body. */
type FormPart = { name: string; isFile: boolean; bytes: Buffer }

/**
 * A whole multipart/form-data body (RFC 7578).
 * @returns undefined for what is cut off or no form; parts without a name are left out
 */
export function parseForm(body: Buffer, boundary: string): FormPart[] | undefined {
  if (body.length === 0) return []
  const delimiter = Buffer.from(`${LINE_END}--${boundary}`, 'latin1')
  const opening = delimiter.subarray(LINE_END.length)
  const isFirst = body.subarray(0, opening.length).equals(opening)
  let at = isFirst ? -LINE_END.length : body.indexOf(delimiter)
  const parts: FormPart[] = []
  while (isFirst || at >= 0) {
    const start = at + delimiter.length
    if (body.toString('latin1', start, start + 2) === '--') return parts
    at = body.indexOf(delimiter, start)
    if (at < 0) break
    const part = parsePart(body.subarray(start, at))
    if (part) parts.push(part)
  }
  return undefined
}

/** @returns undefined without a boundary */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? '') ?? []
  return quoted ?? bare
}

function parsePart(part: Buffer): FormPart | undefined {
  const headEnd = part.indexOf(HEAD_END)
  if (headEnd < 0 || !part.subarray(0, 2).equals(HEAD_END.subarray(0, 2))) return undefined
  const head = part.toString('latin1', 0, headEnd).replaceAll(/\r\n[\t ]+/g, ' ')
  const disposition = /\r\ncontent-disposition:[\t ]*form-data[\t ]*(;[^\r\n]*)/i.exec(head)?.[1]
  if (!disposition) return undefined
  const names = new Map<string, string>()
  for (const [, name = '', quoted, bare = ''] of disposition.matchAll(
    /;[\t ]*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g,
  )) {
    names.set(name.toLowerCase(), quoted ?? bare)
  }
  const name = names.get('name')
  if (name === undefined) return undefined
  const isFile =
    names.has('filename') ||
    names.has('filename*') ||
    /\r\ncontent-type:[\t ]*application\/octet-stream[\t ]*(;|\r\n|$)/i.test(head)
  return { name, isFile, bytes: part.subarray(headEnd + HEAD_END.length) }
}
