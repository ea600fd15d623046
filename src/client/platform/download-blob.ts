/** Starts a download. */
export function downloadBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By then the download has begun or failed.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
