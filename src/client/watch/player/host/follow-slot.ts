/** Moves the frame with its place in the page. @returns a stop function */
export function followSlot(frame: HTMLElement, slot: HTMLElement): () => void {
  const place = () => {
    const { left, top, width, height } = slot.getBoundingClientRect()
    frame.style.left = `${left + scrollX}px`
    frame.style.top = `${top + scrollY}px`
    frame.style.width = `${width}px`
    frame.style.height = `${height}px`
    frame.style.setProperty('--place-radius', getComputedStyle(slot).borderRadius)
  }
  place()
  const observer = new ResizeObserver(place)
  for (const element of [slot, slot.closest('main'), document.body]) {
    if (element) observer.observe(element)
  }
  return () => {
    observer.disconnect()
    frame.removeAttribute('style')
  }
}
