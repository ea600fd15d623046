/** While playing. @returns a stop function */
export function keepAwake(video: HTMLVideoElement): () => void {
  if (!('wakeLock' in navigator)) return () => {}
  const over = new AbortController()
  let lock: WakeLockSentinel | undefined
  const update = async () => {
    const isWanted = !video.paused && !over.signal.aborted && document.visibilityState === 'visible'
    if (isWanted && (!lock || lock.released)) {
      lock = await navigator.wakeLock.request('screen').catch(() => undefined)
      // Playback may have paused meanwhile.
      if (lock && (video.paused || over.signal.aborted)) await lock.release()
    } else if (!isWanted && lock && !lock.released) {
      await lock.release()
    }
  }
  const change = () => void update()
  for (const type of ['play', 'pause', 'ended']) {
    video.addEventListener(type, change, { signal: over.signal })
  }
  // Browsers release the lock of a hidden page.
  document.addEventListener('visibilitychange', change, { signal: over.signal })
  change()
  return () => {
    over.abort()
    change()
  }
}
