import { createTheme, type MantineColorsTuple, type VariantColorsResolver } from '@mantine/core'
import controls from './kit/control/controls.module.css'
import toasts from './kit/toasts.module.css'

/** Mantine requires ten shades; the design has one. */
const shades = (token: string): MantineColorsTuple => {
  const color = `var(--${token})`
  return [color, color, color, color, color, color, color, color, color, color]
}

/** Other colours become volt. */
const ACCENTS = new Set(['volt', 'pulse', 'info'])

/** Equals `--motion-entrance`. */
const ENTRANCE_MS = 200

const variantColorResolver: VariantColorsResolver = ({ color, variant }) => {
  const isAccent = color === 'pulse' || color === 'info'
  const accent = typeof color === 'string' && ACCENTS.has(color) ? color : 'volt'
  const border = '1px solid transparent'
  switch (variant) {
    case 'filled':
      return {
        background: `var(--${accent}-fill, var(--${accent}))`,
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
        color: isAccent ? `var(--${accent})` : 'var(--muted)',
        ...(!isAccent && { hoverColor: 'var(--text)' }),
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
  activeClassName: '',
  variantColorResolver,
  components: {
    Button: {
      defaultProps: { size: 'md' },
      classNames: { root: controls.button, label: controls.buttonLabel },
    },
    ActionIcon: { defaultProps: { variant: 'subtle' }, classNames: { root: controls.icon } },
    Slider: {
      defaultProps: { size: 6, thumbSize: 20 },
      classNames: { trackContainer: controls.sliderTrack, thumb: controls.sliderThumb },
    },
    RangeSlider: {
      defaultProps: { size: 6, thumbSize: 20 },
      classNames: { trackContainer: controls.sliderTrack, thumb: controls.sliderThumb },
    },
    Tooltip: {
      classNames: { tooltip: controls.tooltip },
    },
    Avatar: {
      classNames: {
        root: controls.avatar,
        image: controls.avatarImage,
        placeholder: controls.avatarLetter,
      },
    },
    Badge: { classNames: { root: controls.badge } },
    Progress: { classNames: { root: controls.progress, section: controls.progressBar } },
    Table: {
      defaultProps: {
        borderColor: 'var(--line)',
        horizontalSpacing: 'sm',
        verticalSpacing: 'xs',
      },
      classNames: { thead: controls.tableHead },
    },
    Tabs: { classNames: { list: controls.tabList, tab: controls.tab } },
    Skeleton: { defaultProps: { 'aria-hidden': true }, classNames: { root: controls.skeleton } },
    Input: { defaultProps: { size: 'md' } },
    InputWrapper: { defaultProps: { size: 'md' } },
    Select: { defaultProps: { allowDeselect: false, checkIconPosition: 'right' } },
    Checkbox: { defaultProps: { size: 'md' } },
    Radio: { defaultProps: { size: 'md' } },
    Switch: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { rightSectionWidth: 44, visibilityToggleFocusable: true } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        size: 440,
        closeButtonProps: { 'aria-label': 'Close', iconSize: 20 },
        transitionProps: { transition: 'fade-up', duration: ENTRANCE_MS },
      },
      classNames: {
        overlay: controls.backdrop,
        content: controls.dialog,
        header: controls.dialogHead,
        title: controls.dialogTitle,
        body: controls.dialogBody,
        close: controls.close,
      },
    },
    Drawer: { classNames: { overlay: controls.backdrop, content: controls.drawer } },
    Popover: {
      defaultProps: { transitionProps: { transition: 'fade-down', duration: ENTRANCE_MS } },
      classNames: { dropdown: controls.popover },
    },
    Menu: {
      defaultProps: {
        radius: 'lg',
        shadow: 'md',
        offset: 4,
        // Inside the page's landmark, for screen readers.
        portalProps: { target: 'main' },
        // Stays at its button when the page scrolls while it opens.
        hideDetached: false,
        withInitialFocusPlaceholder: false,
        menuItemTabIndex: 0,
      },
      classNames: {
        dropdown: controls.menu,
        item: controls.menuItem,
        itemSection: controls.menuIcon,
      },
    },
    // Its element would be a second banner landmark.
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
