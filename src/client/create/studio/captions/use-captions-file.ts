import { useRef, useState } from 'react'
import { asUtf8, guessEncoding, readForeignBytes } from './encodings.ts'
import { captionsProblem } from './use-send-captions.ts'

type Foreign = {
  bytes: Uint8Array<ArrayBuffer>
  /** Until chosen, that of the language. */
  chosen?: string
}

/** `foreign` requires a choice of encoding. */
export function useCaptionsFile(language: string) {
  const [file, setFile] = useState<File>()
  const [read, setRead] = useState<Foreign>()
  const latest = useRef<File>(undefined)
  const choose = async (chosen: File | undefined) => {
    latest.current = chosen
    setFile(chosen)
    setRead(undefined)
    if (!chosen || captionsProblem(chosen)) return
    const bytes = await readForeignBytes(chosen)
    if (bytes && latest.current === chosen) setRead({ bytes })
    return bytes
  }
  const setEncoding = (chosen: string) => setRead((now) => now && { ...now, chosen })
  const foreign = read && {
    bytes: read.bytes,
    encoding: read.chosen ?? guessEncoding(language),
  }
  /** UTF-8 or UTF-16, as the server expects. */
  const readable = () => (file && foreign ? asUtf8(file, foreign.bytes, foreign.encoding) : file)
  return { file, foreign, choose, setEncoding, readable }
}
