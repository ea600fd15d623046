import type { IncomingMessage } from 'node:http'

/** Longer than any header of a form's part. */
const TAIL_LENGTH = 8 * 1024

/**
 * Finds the extended name (`filename*`, RFC 5987) of a form's file. The form parser skips it where `name` and
 * `filename` stand in quotes before it. To be called in the same tick as the parser is started, so that both get
 * the body from its beginning.
 * @param field the name of the file's part
 * @returns a function to call once, when the parser has reached the file; it ends the watch
 */
export function watchExtendedFileName(
  request: IncomingMessage,
  field: string,
): () => string | undefined {
  let text = ''
  const keep = (piece: Buffer) => {
    text = text.slice(-TAIL_LENGTH) + piece.toString('latin1')
  }
  request.on('data', keep)
  return () => {
    request.off('data', keep)
    const header = new RegExp(
      String.raw`^content-disposition:(?=.*;\s*name="?${field}"?\s*(?:;|$)).*;\s*filename\*\s*=\s*"?([^;"\r\n]+)`,
      'im',
    )
    return decodeExtended(header.exec(text)?.[1] ?? '')
  }
}

/** `utf-8''Caf%C3%A9.mp4` → 'Café.mp4', without folders. */
function decodeExtended(value: string): string | undefined {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[^']*'(.*)$/.exec(value.trim()) ?? []
  const bytes = encoded.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  try {
    const name = new TextDecoder(charset).decode(Buffer.from(bytes, 'latin1'))
    return name.split(/[/\\]/).at(-1) || undefined
  } catch {
    // An encoding that nobody knows.
    return undefined
  }
}
