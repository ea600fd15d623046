import '@mantine/core/styles/Tooltip.layer.css'
import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'

const DELAY_MS = 400

/**
 * One tooltip for all elements with `data-tooltip`, so that positioning code is not in the first
 * load. Shown for mouse and keyboard focus, never touch.
 */
export default function IconTooltip() {
  const [target, setTarget] = useState<HTMLElement>()
  useEffect(() => listenForTargets(setTarget), [])
  if (!target) return null
  return <Tooltip target={target} opened label={target.dataset.tooltip} />
}

function listenForTargets(onTarget: (target: HTMLElement | undefined) => void): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  let timer: ReturnType<typeof setTimeout> | undefined
  let current: Element | undefined
  /** Not shown after a press, where it could cover what opened. */
  let pressed: Element | null = null
  const point = (target: EventTarget | null) => {
    const next = buttonOf(target)
    if (next === (current ?? null)) return
    hide()
    if (!next) return
    current = next
    timer = setTimeout(() => next.isConnected && onTarget(next), DELAY_MS)
  }
  const hide = () => {
    clearTimeout(timer)
    current = undefined
    onTarget(undefined)
  }
  const rest = ({ pointerType, target }: PointerEvent) => {
    if (pointerType === 'touch' || (pressed && buttonOf(target) === pressed)) return
    pressed = null
    point(target)
  }
  const press = ({ target }: PointerEvent) => {
    pressed = buttonOf(target)
    hide()
  }
  addEventListener('pointerover', rest, { signal })
  addEventListener('pointerdown', press, { signal, capture: true })
  addEventListener(
    'focusin',
    ({ target }) =>
      point(target instanceof Element && target.matches(':focus-visible') ? target : null),
    { signal },
  )
  for (const type of ['keydown', 'scroll', 'focusout'] as const)
    addEventListener(type, hide, { signal, capture: true, passive: true })
  return () => {
    listeners.abort()
    clearTimeout(timer)
  }
}

/** Not one whose panel is open: the tooltip would cover it. */
const buttonOf = (target: EventTarget | null) =>
  target instanceof Element
    ? target.closest<HTMLElement>('[data-tooltip]:not([aria-expanded="true"])')
    : null
