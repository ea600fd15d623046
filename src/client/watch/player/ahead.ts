/** Parts of the player that are loaded together after its first picture. */
export { attachExtras } from './element/extras.ts'
export { SettingsMenu } from './menu/settings-menu.tsx'
export { MiniPlayer } from './mini/mini-player.tsx'
export { NextUp } from './overlay/next-up.tsx'
