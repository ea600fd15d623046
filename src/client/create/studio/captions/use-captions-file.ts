import { useRef, useState } from 'react'
import { asUtf8, guessEncoding, readForeignBytes } from './encodings.ts'
import { captionsProblem } from './use-send-captions.ts'

type Foreign = { bytes: Uint8Array<ArrayBuffer>; encoding: string }

/** `foreign` requires a choice of encoding. */
export function useCaptionsFile(language: string) {
  const [file, setFile] = useState<File>()
  const [foreign, setForeign] = useState<Foreign>()
  const latest = useRef<File>(undefined)
  const choose = async (chosen: File | undefined) => {
    latest.current = chosen
    setFile(chosen)
    setForeign(undefined)
    if (!chosen || captionsProblem(chosen)) return
    const bytes = await readForeignBytes(chosen)
    if (bytes && latest.current === chosen) setForeign({ bytes, encoding: guessEncoding(language) })
    return bytes
  }
  const setEncoding = (encoding: string) => setForeign((now) => now && { ...now, encoding })
  /** UTF-8 or UTF-16, as the server expects. */
  const readable = () => (file && foreign ? asUtf8(file, foreign.bytes, foreign.encoding) : file)
  return { file, foreign, choose, setEncoding, readable }
}
