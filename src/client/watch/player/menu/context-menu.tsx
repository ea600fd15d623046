import { IconChartBar, IconLink, IconPictureInPicture, IconRepeat } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { copyLink, LINK_COPIED } from '#client/platform/video/share-link.ts'
import { formatDuration } from '#shared/text/format.ts'
import { addressAt } from '../core/time-address.ts'
import { usePlayer, usePlayerState } from '../player-context.ts'
import { listStillActs } from '../still/still-acts.tsx'
import classes from './context-menu.module.css'
import { Menu, MenuItem, MenuSwitch } from './menu.tsx'
import { MenuPanel } from './menu-panel.tsx'

export type MenuPlace = { x: number; y: number }

/** For a right click, or a long press on the paused picture. */
export default function ContextMenu({ place, onClose }: { place: MenuPlace; onClose: () => void }) {
  const player = usePlayer()
  const isLooping = usePlayerState((state) => state.isLooping)
  const { videoId, pagePath: path = `/video/${videoId}` } = player.options
  const seconds = player.get().time
  const at = formatDuration(seconds)
  const leave = (act: () => unknown) => () => {
    onClose()
    void act()
  }
  return (
    <MenuPanel
      className={classes.root}
      style={{ '--x': `${place.x}px`, '--y': `${place.y}px` } as CSSProperties}
      onClose={onClose}
      onLeave={onClose}
    >
      <Menu label="Video" onClose={onClose}>
        {path !== null && (
          <>
            <MenuItem
              icon={<IconLink size={20} />}
              label="Copy link"
              onPress={leave(() => copyLink(path, LINK_COPIED))}
            />
            <MenuItem
              icon={<IconLink size={20} />}
              label={`Copy link at ${at}`}
              onPress={leave(() =>
                copyLink(addressAt(path, seconds), `Video link at ${at} copied to clipboard.`),
              )}
            />
          </>
        )}
        {listStillActs().map(({ label, Icon, act }) => (
          <MenuItem
            key={label}
            icon={<Icon size={20} />}
            label={label}
            onPress={leave(() => act(player))}
          />
        ))}
        <MenuSwitch
          icon={<IconRepeat size={20} />}
          label="Loop"
          isOn={isLooping}
          onPress={leave(player.toggleLoop)}
        />
        {document.pictureInPictureEnabled && (
          <MenuItem
            icon={<IconPictureInPicture size={20} />}
            label="Picture in picture"
            onPress={leave(player.togglePictureInPicture)}
          />
        )}
        <MenuItem
          icon={<IconChartBar size={20} />}
          label="Stats for nerds"
          onPress={leave(player.toggleStats)}
        />
      </Menu>
    </MenuPanel>
  )
}
