const HEAD_BYTES = 12
/** What the first box of an MP4 or a QuickTime film may be called. */
const FIRST_BOXES = ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot', 'uuid']
const MATROSKA = '\x1a\x45\xdf\xa3'

/**
 * Whether a file begins as one of the containers does that the server reads: MP4 and MOV, AVI, Matroska and WebM.
 * @throws what reading the file throws: it may be gone
 */
export async function beginsAsVideo(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  const text = String.fromCharCode(...bytes)
  const isAvi = text.startsWith('RIFF') && text.slice(8, 11) === 'AVI'
  return isAvi || text.startsWith(MATROSKA) || FIRST_BOXES.includes(text.slice(4, 8))
}
