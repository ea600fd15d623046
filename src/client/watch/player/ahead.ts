/** Parts of the player that load together after its first picture. */
export { SettingsMenu } from './menu/settings-menu.tsx'
export { MiniPlayer } from './mini/mini-player.tsx'
export { NextUp } from './overlay/next-up.tsx'
