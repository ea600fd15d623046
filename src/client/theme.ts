import { createTheme, type MantineColorsTuple, type VariantColorsResolver } from '@mantine/core'
import toasts from './kit/toasts.module.css'

/** Ten times the same token: Mantine wants shades, our design has one of each colour. */
const shades = (token: string): MantineColorsTuple => {
  const color = `var(--${token})`
  return [color, color, color, color, color, color, color, color, color, color]
}

/** The colours a component may be given; anything else counts as volt. */
const ACCENTS = new Set(['volt', 'pulse', 'info'])

const variantColorResolver: VariantColorsResolver = ({ color, variant }) => {
  const isNeutral = color === 'gray'
  const accent = typeof color === 'string' && ACCENTS.has(color) ? color : 'volt'
  const border = '1px solid transparent'
  switch (variant) {
    case 'filled':
      return {
        background: `var(--${accent})`,
        hover: `var(--${accent}-hover, var(--${accent}))`,
        color: `var(--on-${accent}, var(--ground))`,
        border,
      }
    case 'light':
      return {
        background: `var(--${accent}-soft)`,
        hover: `var(--${accent}-soft)`,
        color: `var(--${accent})`,
        border,
      }
    case 'outline':
      return {
        background: 'transparent',
        hover: `var(--${accent}-soft)`,
        color: `var(--${accent})`,
        border: `1px solid var(--${accent})`,
      }
    case 'subtle':
    case 'transparent':
      return {
        background: 'transparent',
        hover: variant === 'subtle' ? 'var(--hover)' : 'transparent',
        color: isNeutral ? 'var(--muted)' : `var(--${accent})`,
        border,
      }
    default:
      return {
        background: 'var(--surface)',
        hover: 'var(--hover)',
        color: 'var(--text)',
        border: '1px solid var(--line)',
      }
  }
}

export const theme = createTheme({
  colors: { volt: shades('volt'), pulse: shades('pulse'), info: shades('info') },
  primaryColor: 'volt',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  variantColorResolver,
  components: {
    Button: { defaultProps: { size: 'md' } },
    Input: { defaultProps: { size: 'md' } },
    InputWrapper: { defaultProps: { size: 'md' } },
    Checkbox: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { rightSectionWidth: 44, visibilityToggleFocusable: true } },
    // Its element would count as a second banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss message', iconSize: 16 } },
      classNames: {
        root: toasts.toast,
        icon: toasts.icon,
        body: toasts.body,
        title: toasts.title,
        description: toasts.message,
        closeButton: toasts.close,
      },
    },
  },
})
