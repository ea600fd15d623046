import { useEffect, useState } from 'react'

/** An address for a file of the reader's own, for as long as it is shown. */
export function useObjectUrl(file: Blob): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const address = URL.createObjectURL(file)
    setUrl(address)
    return () => URL.revokeObjectURL(address)
  }, [file])
  return url
}
