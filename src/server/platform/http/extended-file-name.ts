import type { IncomingMessage } from 'node:http'

/** Longer than any part header. */
const TAIL_LENGTH = 8 * 1024

/**
 * Reads `filename*` (RFC 5987), which the form parser skips after quoted `name` and `filename`.
 * Call in the parser's first tick, so that both see the whole body.
 * @param field part's name
 * @returns ends the watch; call once the parser reaches the file
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
    return undefined
  }
}
