import { useEffect, useState } from 'react'

/** Revoked on unmount. */
export function useObjectUrl(file: Blob): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
