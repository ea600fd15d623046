import {
  IconAdjustments,
  IconAdjustmentsHorizontal,
  IconBadgeCc,
  IconChartBar,
  IconGauge,
  IconKeyboard,
  IconLanguage,
  IconListDetails,
  IconMoodSmile,
  IconPictureInPictureTop,
  IconPlayerPlay,
  IconPlayerTrackNext,
  IconRepeat,
  IconWaveSine,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { useHasKeys } from '#client/platform/use-has-keys.ts'
import { type Chapter, chapterAt } from '#shared/chapters.ts'
import { formatDuration } from '#shared/text/format.ts'
import { RATES } from '../core/playback-commands.ts'
import { rememberPlayer } from '../core/player-memory.ts'
import { canMix } from '../mixer/can-mix.ts'
import { usePlayer, usePlayerState } from '../player-context.ts'
import { qualityName } from '../source/source.ts'
import { usePlayerMemory } from '../use-player-memory.ts'
import { Menu, MenuChoice, MenuItem, MenuSwitch } from './menu.tsx'

const MixerPanel = lazyPart(() => import('../mixer/mixer-panel.tsx'))

export type SettingsPage =
  | 'main'
  | 'quality'
  | 'speed'
  | 'audio'
  | 'mixer'
  | 'captions'
  | 'chapters'

type SettingsMenuProps = {
  chapters: readonly Chapter[]
  startsWith: SettingsPage
  onClose: () => void
}

export function SettingsMenu({ chapters, startsWith, onClose }: SettingsMenuProps) {
  const [page, setPage] = useState(startsWith)
  const props = {
    onBack: startsWith === 'main' ? () => setPage('main') : undefined,
    onClose,
  }
  switch (page) {
    case 'quality':
      return <QualityMenu {...props} />
    case 'speed':
      return <SpeedMenu {...props} />
    case 'audio':
      return <AudioMenu {...props} />
    case 'mixer':
      return <MixerPanel {...props} />
    case 'captions':
      return <CaptionsMenu {...props} />
    case 'chapters':
      return <ChaptersMenu {...props} chapters={chapters} />
    default:
      return <MainMenu chapters={chapters} onOpen={setPage} onClose={onClose} />
  }
}

type MainMenuProps = {
  chapters: readonly Chapter[]
  onOpen: (page: SettingsPage) => void
  onClose: () => void
}

function MainMenu({ chapters, onOpen, onClose }: MainMenuProps) {
  const player = usePlayer()
  const { rate, soundTrack, captions, caption, isLooping } = usePlayerState((state) => state)
  const continues = usePlayerMemory('continues')
  const hasMiniPlayer = usePlayerMemory('hasMiniPlayer')
  const startsItself = usePlayerMemory('startsItself')
  const showsReactions = usePlayerMemory('showsReactions')
  const levels = usePlayerMemory('levelsLoudness')
  const { loudnessLufs } = player.core.surroundings
  const soundTracks = player.soundTracks()
  const isMixed = player.core.mixer?.isHeard() ?? false
  const hasKeys = useHasKeys()
  const { isEmbedded = false, isInline = false } = player.options
  const row = (page: SettingsPage, icon: ReactNode, label: string, value: ReactNode) => (
    <MenuItem icon={icon} label={label} value={value} opens onPress={() => onOpen(page)} />
  )
  const leave = (act: () => void) => () => {
    onClose()
    act()
  }
  return (
    <Menu label="Settings" onClose={onClose}>
      {row('quality', <IconAdjustmentsHorizontal size={20} />, 'Quality', <QualityNow />)}
      {row('speed', <IconGauge size={20} />, 'Speed', rate === 1 ? 'Normal' : `${rate}×`)}
      {soundTracks.length > 0 &&
        row('audio', <IconLanguage size={20} />, 'Audio track', soundTracks[soundTrack]?.label)}
      {canMix(player.core) &&
        row('mixer', <IconAdjustments size={20} />, 'Sound mix', isMixed ? 'Yours' : 'Everyone’s')}
      {captions.length > 0 &&
        row('captions', <IconBadgeCc size={20} />, 'Captions', captions[caption]?.label ?? 'Off')}
      {chapters.length > 0 &&
        row('chapters', <IconListDetails size={20} />, 'Chapters', chapters.length)}
      {!isEmbedded && (
        <MenuSwitch
          icon={<IconPlayerPlay size={20} />}
          label="Play when opened"
          isOn={startsItself}
          onPress={() => rememberPlayer({ startsItself: !startsItself })}
        />
      )}
      {!isInline && (
        <MenuSwitch
          icon={<IconPlayerTrackNext size={20} />}
          label="Autoplay next"
          isOn={continues}
          onPress={player.toggleContinuing}
        />
      )}
      <MenuSwitch
        icon={<IconRepeat size={20} />}
        label="Loop"
        isOn={isLooping}
        onPress={player.toggleLoop}
      />
      {!isEmbedded && (
        <MenuSwitch
          icon={<IconPictureInPictureTop size={20} />}
          label="Mini player"
          isOn={hasMiniPlayer}
          onPress={() => rememberPlayer({ hasMiniPlayer: !hasMiniPlayer })}
        />
      )}
      {player.core.hasReactions && (
        <MenuSwitch
          icon={<IconMoodSmile size={20} />}
          label="Reactions"
          isOn={showsReactions}
          onPress={() => rememberPlayer({ showsReactions: !showsReactions })}
        />
      )}
      {player.core.renderTakeBack?.(onClose)}
      {loudnessLufs !== null && (
        <MenuSwitch
          icon={<IconWaveSine size={20} />}
          label="Level loudness"
          isOn={levels}
          onPress={player.toggleLevelling}
        />
      )}
      <MenuItem
        icon={<IconChartBar size={20} />}
        label="Stats for nerds"
        onPress={leave(player.toggleStats)}
      />
      {hasKeys && !isInline && (
        <MenuItem
          icon={<IconKeyboard size={20} />}
          label="Keyboard shortcuts"
          value="?"
          onPress={() => player.setOverlay('help')}
        />
      )}
    </Menu>
  )
}

/** Such as 'Auto (720p)'. */
function QualityNow() {
  const { quality, playing, qualities } = usePlayerState((state) => state)
  if (qualities.length <= 1) return playing ? qualityName(playing) : 'Auto'
  if (quality === 'auto') return playing ? `Auto (${qualityName(playing)})` : 'Auto'
  const chosen = qualities.find(({ lines }) => lines === quality) ?? playing
  return chosen ? qualityName(chosen) : `${quality}p`
}

type PageProps = { onBack: (() => void) | undefined; onClose: () => void }

function QualityMenu(props: PageProps) {
  const player = usePlayer()
  const state = usePlayerState((state) => state)
  const { quality, playing } = state
  const isAlone = state.qualities.length <= 1
  const qualities = isAlone && playing ? [playing] : state.qualities
  const choose = (wanted: number | 'auto') => () => {
    player.chooseQuality(wanted)
    props.onClose()
  }
  return (
    <Menu label="Quality" {...props}>
      {!isAlone && (
        <MenuChoice
          label="Auto"
          value={quality === 'auto' && playing ? `now ${qualityName(playing)}` : undefined}
          isChosen={quality === 'auto'}
          onPress={choose('auto')}
        />
      )}
      {qualities.map((each) => (
        <MenuChoice
          key={`${each.lines}-${each.bitRate}`}
          label={qualityName(each)}
          value={
            !isAlone && playing?.lines === each.lines && quality !== 'auto' ? 'now' : undefined
          }
          isChosen={isAlone || quality === each.lines}
          onPress={isAlone ? props.onClose : choose(each.lines)}
        />
      ))}
    </Menu>
  )
}

function SpeedMenu(props: PageProps) {
  const player = usePlayer()
  const rate = usePlayerState((state) => state.rate)
  return (
    <Menu label="Speed" {...props}>
      {RATES.map((each) => (
        <MenuChoice
          key={each}
          label={each === 1 ? 'Normal' : `${each}×`}
          isChosen={each === rate}
          onPress={() => {
            player.setRate(each)
            props.onClose()
          }}
        />
      ))}
    </Menu>
  )
}

function AudioMenu(props: PageProps) {
  const player = usePlayer()
  const soundTrack = usePlayerState((state) => state.soundTrack)
  return (
    <Menu label="Audio track" {...props}>
      {player.soundTracks().map(({ label }, index) => (
        <MenuChoice
          key={label}
          label={label}
          isChosen={index === soundTrack}
          onPress={() => {
            player.chooseSoundTrack(index)
            props.onClose()
          }}
        />
      ))}
    </Menu>
  )
}

function CaptionsMenu(props: PageProps) {
  const player = usePlayer()
  const caption = usePlayerState((state) => state.caption)
  const captions = usePlayerState((state) => state.captions)
  const labels = ['Off', ...captions.map(({ label }) => label)]
  return (
    <Menu label="Captions" {...props}>
      {labels.map((label, index) => (
        <MenuChoice
          key={label}
          label={label}
          isChosen={caption === index - 1}
          onPress={() => {
            player.chooseCaption(index - 1)
            props.onClose()
          }}
        />
      ))}
    </Menu>
  )
}

function ChaptersMenu({ chapters, ...props }: PageProps & { chapters: readonly Chapter[] }) {
  const player = usePlayer()
  const here = usePlayerState((state) => chapterAt(chapters, state.time))
  return (
    <Menu label="Chapters" {...props}>
      {chapters.map((chapter) => (
        <MenuChoice
          key={chapter.start}
          label={chapter.title}
          value={formatDuration(chapter.start)}
          isChosen={chapter === here}
          onPress={() => {
            player.seek(chapter.start)
            props.onClose()
          }}
        />
      ))}
    </Menu>
  )
}
